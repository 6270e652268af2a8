// The tables of a hub. A stream has one writer, so its numbers are committed in order and no reader can miss one; a counter
// over all streams would lose whatever commits late. Everything of one space lies together and can be moved as a whole.
import type postgres from "postgres";
import { MemoirError } from "../../src/sdk/index.ts";

/** Of the tables below. */
const version = 1;

/** Held while tables are made; the number is memoir's own. */
const lock = 7_305_811;

const parts = 8;

const tables = `
create table if not exists memoir.heads (
  space text not null, stream text not null, number bigint not null, digest text not null,
  primary key (space, stream));
create table if not exists memoir.batches (
  space text not null, stream text not null, number bigint not null, bytes bytea not null,
  at timestamptz not null default now(),
  primary key (space, stream, number)) partition by hash (space);
${Array.from(
  { length: parts },
  (_, at) =>
    `create table if not exists memoir.batches_${at} partition of memoir.batches for values with (modulus ${parts}, remainder ${at});
alter table memoir.batches_${at} alter column bytes set storage external;`,
).join("\n")}
create table if not exists memoir.files (
  space text not null, name text not null, bytes bytea not null,
  at timestamptz not null default now(),
  primary key (space, name));
create table if not exists memoir.version (number int not null);
insert into memoir.version select ${version} where not exists (select from memoir.version);
`;

/** Makes what is missing. Rejects with `hub_refused` where a newer memoir made the tables. */
export async function prepareTables(sql: postgres.Sql): Promise<void> {
  const [there] = await sql`select to_regclass('memoir.version') is not null as made`;
  if (!there?.made)
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${lock})`;
      const [schema] = await tx`select 1 from pg_namespace where nspname = 'memoir'`;
      if (!schema) await tx.unsafe("create schema memoir");
      await tx.unsafe(tables);
    });
  const [found] = await sql`select number from memoir.version`;
  if (Number(found?.number) > version)
    throw new MemoirError(
      "hub_refused",
      `The hub's tables are of version ${found?.number}, and this memoir knows ${version}.`,
      { fix: "Run `memoir upgrade`; what waits is sent then." },
    );
}
