// The Homebrew formula, made of the release's own list.

/** What a formula needs of a release. */
export interface Listed {
  version: string;
  /** The folder that the files are fetched from, without an ending slash. */
  address: string;
  /** File → SHA-256. */
  sums: ReadonlyMap<string, string>;
}

/** The formula's text. Throws where the list lacks a file that it names. */
export function formula({ version, address, sums }: Listed): string {
  const block = (system: string) => (arch: string) => {
    const file = `memoir-${system}-${arch}.gz`;
    const sum = sums.get(file);
    if (sum === undefined) throw new Error(`The release has no ${file}`);
    return `    on_${arch === "x64" ? "intel" : "arm"} do
      url "${address}/${file}"
      sha256 "${sum}"
    end`;
  };
  const blocks = (system: string) => ["arm64", "x64"].map(block(system)).join("\n");
  return `class Memoir < Formula
  desc "Long memory of coding agents"
  homepage "${address}"
  version "${version}"
  license "MIT"

  on_macos do
${blocks("darwin")}
  end

  on_linux do
${blocks("linux")}
  end

  def install
    bin.install Dir["memoir-*"].first => "memoir"
  end

  def caveats
    <<~TEXT
      Connect your coding agents with: memoir install
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/memoir --version")
  end
end
`;
}
