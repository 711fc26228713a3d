/**
 * The commands of the page, as values: menus, the palette, the shortcuts and the help page read this
 * registry. Each feature defines its own commands in a `commands.ts`, and `all.ts` lists them.
 */

export type CommandGroup =
  | 'Manifest'
  | 'Script'
  | 'Cluster'
  | 'Policy'
  | 'View'
  | 'Access'
  | 'User'
  | 'Help'

export interface Command {
  id: string
  title: string
  group: CommandGroup
  /** In the notation of `keys.ts`: `Mod+K`. */
  keys?: string
  run(): void
}

const registered = new Map<string, Command>()

/** @throws Error if two commands have the same ID */
export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) {
    if (registered.has(command.id)) throw new Error(`two commands have the ID ${command.id}`)
    registered.set(command.id, command)
  }
}

/** Returns every registered command, in the order in which help pages and the palette list them. */
export const registeredCommands = (): Command[] => [...registered.values()]

/** Runs the command with this ID. An unknown ID does nothing. */
export function runCommand(id: string): void {
  registered.get(id)?.run()
}
