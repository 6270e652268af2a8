// Chinese: an API whose limits are settled, and a wrong guess that was refuted.
import type { Person } from "../script.ts";

export const chineseApi: Person = {
  name: "chinese-api",
  cwd: "/home/lin/wuliu-api",
  sessions: [
    {
      start: "2026-04-13T01:00:00Z",
      steps: [
        { user: "订单接口偶尔返回502，帮我查一下原因。" },
        { says: "先怀疑是数据库连接池不够。" },
        { runs: "grep -c 'pool exhausted' logs/app.log", prints: "0", fails: true },
        { says: "日志里没有连接池耗尽的记录，连接池不是原因。再看网关超时。" },
        { reads: "deploy/nginx.conf", content: "proxy_read_timeout 10s;" },
        { runs: "python scripts/slow.py --top 1", prints: "/orders/export 18.2s" },
        {
          edits: "deploy/nginx.conf",
          from: "proxy_read_timeout 10s;",
          to: "proxy_read_timeout 30s;",
        },
        {
          says: "原因是导出订单要18秒，而网关的proxy_read_timeout只有10秒。已改成30秒。导出本身以后要改成异步任务。",
        },
        { user: "好。以后所有接口都要限流，每个用户每分钟最多60次。" },
        { writes: "app/limit.py", content: "LIMIT_PER_MINUTE = 60\n" },
        { runs: "pytest -q tests/test_limit.py", prints: "5 passed" },
        {
          runs: "git commit -am '为所有接口加上限流'",
          prints: "[main 8d1f0c2] 为所有接口加上限流\n 2 files changed",
        },
        { says: "限流已加上：每个用户每分钟60次，超过返回429。测试全部通过，已提交。" },
        { user: "部署用什么命令？记住，不要在星期五部署。" },
        { runs: "make deploy-staging", prints: "staging ok" },
        { says: "预发环境用make deploy-staging，生产用make deploy-prod。星期五不部署。" },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "The 502 came from an export of 18 s with a gateway limit of 10 s.",
      ask: "502的原因",
      tokens: [["proxy_read_timeout"]],
    },
    {
      id: "async",
      note: "Open: the export is to become an asynchronous job.",
      ask: "导出以后怎么改",
      tokens: [["异步"]],
    },
    {
      id: "limit",
      note: "Every endpoint is limited to 60 calls a minute and user.",
      ask: "限流多少",
      tokens: [["60"], ["限流"]],
    },
    {
      id: "friday",
      note: "No deployments on Fridays.",
      ask: "星期五可以部署吗",
      tokens: [["星期五"]],
    },
    {
      id: "deploy",
      note: "make deploy-staging and make deploy-prod deploy.",
      ask: "部署命令",
      tokens: [["deploy-staging"]],
    },
  ],
  never: [
    {
      id: "pool",
      what: "The connection pool is too small.",
      tokens: [["连接池不够"]],
      unless: ["不是原因"],
    },
  ],
};
