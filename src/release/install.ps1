# Fetches the memoir binary for this machine from a release, checks its sum and runs `memoir install`.
#   irm <base url>/install.ps1 | iex     or     .\install.ps1 [<base url>] [what `memoir install` takes]
# MEMOIR_RELEASE_URL names the base url too: the folder that holds SHA256SUMS. Works in Windows PowerShell 5.1 and PowerShell 7.
$ErrorActionPreference = 'Stop'
# Drawing it makes Windows PowerShell fetch ten times slower.
$ProgressPreference = 'SilentlyContinue'

# A release fills these in: its version, its folder, minisign's public keys, the sum of its SHA256SUMS.
$version = ''
$address = ''
$keys = ''
$sums = ''

# `exit` would close the window of a person who piped this into `iex`.
function Stop-Install([string]$Message, [string]$Fix) {
  throw "error: $Message`nfix: $Fix"
}

$rest = @($args)
$base = $address
if ($env:MEMOIR_RELEASE_URL) { $base = $env:MEMOIR_RELEASE_URL }
if ($rest.Count -gt 0 -and "$($rest[0])" -match '^https?://') {
  $base = $rest[0]
  $rest = @($rest | Select-Object -Skip 1)
}
if (-not $base) { Stop-Install 'no release was named' 'set MEMOIR_RELEASE_URL to its url' }
$base = $base.TrimEnd('/')
if ($base -notmatch '^(https://|http://(localhost|127\.\d+\.\d+\.\d+)(:\d+)?(/|$))') {
  Stop-Install "$base can be changed on the way to you" 'give an https address'
}

# A 32-bit or emulated shell names the machine's own processor in the second variable.
$processor = $env:PROCESSOR_ARCHITECTURE
if ($env:PROCESSOR_ARCHITEW6432) { $processor = $env:PROCESSOR_ARCHITEW6432 }
switch ($processor) {
  'AMD64' { $arch = 'x64' }
  'ARM64' { $arch = 'arm64' }
  default { Stop-Install "there is no release for $processor processors" 'build memoir from source: npx -y bun@1.4.5 run build' }
}
$name = "memoir-windows-$arch.exe"

$folder = Join-Path ([IO.Path]::GetTempPath()) "memoir-install-$([Guid]::NewGuid())"
New-Item -ItemType Directory -Path $folder | Out-Null
$list = Join-Path $folder 'SHA256SUMS'

function Get-ReleaseFile([string]$File) {
  $path = Join-Path $folder $File
  try {
    Invoke-WebRequest -UseBasicParsing -Uri "$base/$File" -OutFile $path
  } catch {
    if ([int]$_.Exception.Response.StatusCode -eq 404) {
      Stop-Install "$base has no $File" 'check the url: there may be no such version'
    }
    Stop-Install "$base/$File could not be fetched: $($_.Exception.Message)" 'check the url and your connection'
  }
  $path
}

function Get-Sum([string]$Path) {
  (Get-FileHash -Algorithm SHA256 -Path $Path).Hash.ToLowerInvariant()
}

# The sum that the release gives for a file; nothing when it has no such file.
function Get-Listed([string]$File) {
  $line = Get-Content $list | Where-Object { $_ -match "^[0-9a-fA-F]{64} +\*?$([regex]::Escape($File))$" } | Select-Object -First 1
  if ($line) { $line.Substring(0, 64).ToLowerInvariant() }
}

function Assert-Sum([string]$File) {
  $actual = Get-Sum (Join-Path $folder $File)
  $expected = Get-Listed $File
  if ($actual -ne $expected) {
    Stop-Install "the sum of $File is $actual, the release says $expected" 'fetch it again; if that does not help, do not trust this release'
  }
}

function Assert-Signature {
  if (-not $keys) {
    Write-Host 'This script knows no key of a publisher''s, so it checks sums alone.'
    return
  }
  if (-not (Get-Command minisign -ErrorAction SilentlyContinue)) {
    Write-Host 'minisign is not here to check who signed it. The sums are checked, and each later `memoir upgrade` checks signatures by itself.'
    return
  }
  Get-ReleaseFile 'SHA256SUMS.minisig' | Out-Null
  foreach ($key in $keys.Split(' ')) {
    & minisign -V -q -P $key -m $list | Out-Null
    if ($LASTEXITCODE -eq 0) {
      Write-Host "signed with the key $key"
      return
    }
  }
  Stop-Install "no key of memoir's publisher signed $base" 'don''t trust this release, and tell its publisher'
}

function Expand-Gzip([string]$From, [string]$To) {
  $source = [IO.File]::OpenRead($From)
  $target = [IO.File]::Create($To)
  try {
    $unpacked = New-Object IO.Compression.GzipStream($source, [IO.Compression.CompressionMode]::Decompress)
    $unpacked.CopyTo($target)
  } finally {
    $target.Dispose()
    $source.Dispose()
  }
}

$code = 0
try {
  # Windows PowerShell of old systems offers less by itself.
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  Get-ReleaseFile 'SHA256SUMS' | Out-Null
  if ((Get-Content $list -TotalCount 5) -match '^\s*<') {
    Stop-Install "$base/SHA256SUMS is a web page" 'a network that asks you to sign in first answers like this, and so does a wrong address'
  }
  if ($sums -and (Get-Sum $list) -ne $sums) {
    Stop-Install "$base is not the release of memoir $version that this script is for" 'fetch the script again, from where you got it'
  }
  Assert-Signature
  if (-not (Get-Listed $name)) { Stop-Install "this release has no $name" "look into $base/SHA256SUMS for what it has" }
  $wanted = $name
  if (Get-Listed "$name.gz") { $wanted = "$name.gz" }
  Write-Host "fetching $wanted from $base"
  Get-ReleaseFile $wanted | Out-Null
  Assert-Sum $wanted
  $binary = Join-Path $folder $name
  if ($wanted -ne $name) {
    Expand-Gzip (Join-Path $folder $wanted) $binary
    Assert-Sum $name
  }
  & $binary install @rest
  $code = $LASTEXITCODE
} finally {
  Remove-Item -Recurse -Force $folder -ErrorAction SilentlyContinue
}
if ($code -ne 0) { throw "memoir install ended with $code" }
