// What a plan or a roll-out does to things by name: each that goes, is replaced or is changed stays.
import type { Row } from "./rows.ts";

/** Things that go, or are made anew. */
const losing = [
  // # aws_db_instance.ledger will be destroyed · must be replaced · aws_db_instance.ledger: Destroying...
  /^\s*# \S+.* (?:will be destroyed|must be replaced|will be replaced|has been deleted)/,
  /^\S+: (?:Destroying|Destruction complete)\b/,
  //  -   ├─ aws:rds:Instance  ledger  delete · +-  ├─ aws:ec2:Subnet  private  replace
  /^\s*(?:-|\+-|-\+|\+\/-|-\/\+)\s+[├└│─\s]*[\w@/.-]+:\S+\s/,
  // deployment.apps "old" deleted · deployment.apps/old pruned
  /^\S+[/ ]"?[\w.-]+"? (?:deleted|pruned)$/,
  // [-] AWS::S3::Bucket old destroy
  /^\[-\]\s\S+::\S+/,
];
/** Things that are changed where they are. */
const changing = [
  // # aws_instance.web will be updated in-place
  /^\s*# \S+.* will be (?:updated in-place|moved|imported|created and then destroyed)/,
  //  ~   ├─ aws:s3:BucketPolicy  assets  update · [~] AWS::IAM::Role role
  /^\s*~\s+[├└│─\s]*[\w@/.-]+:\S+\s/,
  /^\[~\]\s\S+::\S+/,
  // changed: [web09] · fatal: [web11]: FAILED!
  /^(?:changed|fatal|failed|unreachable): \[/,
];
/** Most characters of each. */
const [mostLosing, mostChanging] = [4_000, 1_200];

/** The rows that name what a plan does, as far as there is room: what goes comes first. */
export function plannedRows(rows: readonly Row[]): Set<number> {
  const found = new Set<number>();
  const take = (forms: readonly RegExp[], room: number): void => {
    let left = room;
    for (const { line, text } of rows) {
      if (text.length > 400 || !forms.some((form) => form.test(text))) continue;
      left -= text.length + 1;
      if (left < 0) return;
      found.add(line);
    }
  };
  take(losing, mostLosing);
  take(changing, mostChanging);
  return found;
}
