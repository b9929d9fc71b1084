/** `sage completions`: a script that lets the shell finish what is typed. */
import { SageError } from "../../base/errors.ts";
import { defineCommand } from "../command.ts";
import { completionScript, SHELLS } from "../completions.ts";

export const command = defineCommand({
  operands: [1, 1],
  operand: SHELLS,
  details:
    "Prints the script and changes nothing. Load it from the shell's start-up file; removing that line undoes it.",
  examples: [
    'bash        echo "source <(sage completions bash)" >> ~/.bashrc',
    'zsh         echo "source <(sage completions zsh)" >> ~/.zshrc   (after compinit)',
    "fish        sage completions fish > ~/.config/fish/completions/sage.fish",
    "powershell  sage completions powershell | Out-String | Invoke-Expression   (in $PROFILE)",
  ],
  async run({ rest: [name = ""] }) {
    const shell = SHELLS.find((one) => one === name);
    if (shell === undefined) {
      throw new SageError("usage", `No completions for "${name}"`, {
        hint: `sage completions ${SHELLS.join("|")}`,
      });
    }
    const text = await completionScript(shell);
    return { json: { shell, script: text.join("\n") + "\n" }, text };
  },
});
