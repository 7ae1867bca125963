import { Argument, Command } from 'commander'
import type { Shell } from '../completion-scripts.ts'
import type { CliContext } from '../context.ts'

/** The script of a shell that knows all commands; `programOf` gives the tree that this command is part of. */
export function completionCommand(context: CliContext, programOf: () => Command): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  $ headwater completion bash > ~/.local/share/bash-completion/completions/headwater
  $ headwater completion zsh > ~/.zfunc/_headwater         where fpath names ~/.zfunc
  $ headwater completion fish > ~/.config/fish/completions/headwater.fish`,
    )
    .action(async (shell: Shell) => {
      const { completionNodes } = await import('../completion.ts')
      const { completionScript } = await import('../completion-scripts.ts')
      context.out(completionScript(shell, completionNodes(programOf())))
    })
}
