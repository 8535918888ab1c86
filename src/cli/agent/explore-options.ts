// The options of `retcon explore`.
import { type Command, Option } from "commander"
import { atLeastOne, eachOf, positive } from "../port/arguments.ts"

export function addExploreOptions(command: Command): Command {
  return command
    .option("-s, --session <id>", "the session to continue from (default: retcon's latest here, or a new one)")
    .option("-n <count>", "how many attempts (default: one for each model, or 3)", atLeastOne)
    .option("--model <name>", "provider/name, or practice; repeatable: they are used in turn", eachOf)
    .option("--check <command>", "a command to run in each copy at the end; repeatable", eachOf)
    .option("--setup <command>", "a command to run in each copy first, such as an install")
    .option("--jobs <count>", "how many run at the same time (default: all)", atLeastOne)
    .option("--budget <dollars>", "stop before all together cost more", positive)
    .option("--time <minutes>", "stop each after this time", positive)
    .addOption(
      new Option("--mode <mode>", "what the agents may do without asking").choices(["default", "autoEdit", "yolo"]),
    )
    .option("--allow <rule>", "allow a tool without asking, such as Write or 'Bash(npm test)'; repeatable", eachOf)
    .option("--list", "show the attempts whose copies are still there")
    .option("--resume", "take in what interrupted attempts did")
    .option("--clean [label]", "remove the copies of all attempts that are in the tree, or of one")
    .option("--force", "with --clean: also those with commits that exist nowhere else")
    .option("--json", "print JSON")
}
