/**
 * The commands of menus, palette, shortcuts and help. Each feature defines its own in a
 * `commands.ts`; `all-commands.ts` lists them.
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
  /** As in shortcuts.ts: `Mod+K`. */
  keys?: string
  run(): void
}

const registered = new Map<string, Command>()

/** @throws Error for a duplicate ID */
export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) {
    if (registered.has(command.id)) throw new Error(`two commands have the ID ${command.id}`)
    registered.set(command.id, command)
  }
}

/** In the order of help pages and the palette. */
export const registeredCommands = (): Command[] => [...registered.values()]

/** An unknown ID does nothing. */
export function runCommand(id: string): void {
  registered.get(id)?.run()
}
