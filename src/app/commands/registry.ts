/** Each command names its keys; see the `commands.ts` files. `all-commands.ts` lists them. */

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
  /** `Mod+K`, as `match-shortcut.ts` parses it. */
  keys?: string
  run(): void
}

const registered = new Map<string, Command>()

/** @throws Error if two commands have the same ID, or the same keys */
export function registerCommands(commands: readonly Command[]): void {
  for (const command of commands) {
    if (registered.has(command.id)) throw new Error(`two commands have the ID ${command.id}`)
    const other = registeredCommands().find(
      ({ keys }) => keys !== undefined && keys === command.keys,
    )
    if (other)
      throw new Error(`two commands have the keys ${command.keys}: ${other.id}, ${command.id}`)
    registered.set(command.id, command)
  }
}

export const registeredCommands = (): Command[] => [...registered.values()]

/** Ignores an unknown ID. */
export function runCommand(id: string): void {
  registered.get(id)?.run()
}
