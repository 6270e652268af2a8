// What each of memoir's own features says of its operations' doors is so.
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aloneOf, topicOf } from "../../../src/cli/commands/contributed.ts";
import { isTopic } from "../../../src/cli/commands/declared.ts";
import { backfill } from "../../../src/features/backfill.ts";
import { endless } from "../../../src/features/endless.ts";
import type { Feature } from "../../../src/features/feature.ts";
import { sync } from "../../../src/features/sync.ts";
import { describePlugins } from "../../../src/runtime/plugins/describe.ts";
import { tools } from "../../../src/server/mcp/tools.ts";
import type { FeaturePart } from "../../../src/server/operation.ts";
import { operations } from "../../../src/server/operations/index.ts";

const features: Feature[] = [endless, sync, backfill];
/** As `plugin info` gets them where no server runs. */
const { contributions } = await describePlugins(join(tmpdir(), "memoir-no-home"), {});

/** How many commands of the command line do an operation's work. */
function commandsOf(feature: Feature, load: unknown): number {
  const below = Object.values({ ...topicOf(feature), ...aloneOf(feature) });
  const all = below.flatMap(function leaves(one): Array<typeof one> {
    return isTopic(one) ? Object.values(one.commands).flatMap(leaves) : [one];
  });
  return all.filter((one) => "load" in one && one.load === load).length;
}

test.each(
  features.flatMap((feature) =>
    Object.entries(feature.operations).map(([name, one]) => ({ feature, name, one })),
  ),
)("$feature.name $name has the doors that it says, and no other", ({ feature, name, one }) => {
  const isOf = ({ brought }: { brought?: FeaturePart }) =>
    brought?.plugin === feature.name && brought.name === name;
  const doors = {
    command: one.load === undefined ? 0 : commandsOf(feature, one.load),
    route: operations.filter(isOf).length,
    tool: tools.filter(isOf).length,
  };
  expect(Object.entries(doors).flatMap(([door, count]) => Array(count).fill(door))).toEqual([
    ...one.for,
  ]);
  expect(feature.plugin.operations?.[name]?.for).toEqual(one.for);
  const shown = contributions.find((part) => part.plugin === feature.name && part.name === name);
  expect([shown?.for, shown?.ownDoors]).toEqual([[], one.for]);
});
