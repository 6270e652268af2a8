// Operations: commands only, an outage, its cause, its repair, and what was tried in vain.
import type { Person } from "../script.ts";

export const operations: Person = {
  name: "operations",
  cwd: "/root/infra",
  sessions: [
    {
      start: "2026-08-10T03:10:00Z",
      steps: [
        { user: "grafana says disk on db-2 is at 97%, what is eating it" },
        { runs: "ssh db-2 df -h /var/lib/postgresql", prints: "/dev/sdb1 500G 485G 15G 97%" },
        { runs: "ssh db-2 du -xsh /var/lib/postgresql/16/main/pg_wal", prints: "391G pg_wal" },
        { says: "391 GB of WAL. Something holds it back." },
        { runs: "ssh db-2 psql -c 'select pg_switch_wal()'", prints: "ok, still 391G" },
        {
          runs: "ssh db-2 psql -c 'select slot_name, active from pg_replication_slots'",
          prints: "analytics_old | f",
        },
        {
          says: "The replication slot analytics_old is inactive and keeps all WAL since June. Switching WAL did not help. Dropping the slot would.",
        },
        {
          user: "analytics_old was decommissioned in june. drop it. and set max_slot_wal_keep_size to 50GB so it can't happen again",
        },
        {
          runs: "ssh db-2 psql -c \"select pg_drop_replication_slot('analytics_old')\"",
          prints: "dropped",
        },
        {
          runs: "ssh db-2 psql -c \"alter system set max_slot_wal_keep_size='50GB'\"",
          prints: "ALTER SYSTEM",
        },
        { runs: "ssh db-2 df -h /var/lib/postgresql", prints: "/dev/sdb1 500G 96G 404G 19%" },
        {
          says: "Dropped analytics_old; disk is at 19 %. max_slot_wal_keep_size is 50GB on db-2. db-1 and db-3 still have the default: do the same there in the next maintenance window, Tuesday 04:00.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "The inactive slot analytics_old kept 391 GB of WAL.",
      ask: "what filled the disk of db-2",
      tokens: [["analytics_old"]],
    },
    {
      id: "fix",
      note: "The slot was dropped; the disk is at 19 %.",
      ask: "how was the full disk solved",
      tokens: [
        ["dropped", "drop"],
        ["19 %", "19%"],
      ],
    },
    {
      id: "guard",
      note: "max_slot_wal_keep_size is 50GB on db-2.",
      ask: "limit for WAL of slots",
      tokens: [["max_slot_wal_keep_size"]],
    },
    {
      id: "vain",
      note: "Switching WAL did not help.",
      ask: "does pg_switch_wal free space",
      tokens: [["pg_switch_wal", "Switching WAL"]],
      tell: false,
    },
    {
      id: "open",
      note: "Open: the same on db-1 and db-3 on Tuesday 04:00.",
      ask: "what is left on the other databases",
      tokens: [["db-3"]],
    },
  ],
  never: [
    {
      id: "full",
      what: "The disk is at 97 %.",
      tokens: [["at 97"]],
      unless: ["asked", "19 %", "was at"],
    },
  ],
};
