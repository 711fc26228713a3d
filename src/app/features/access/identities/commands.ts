import type { Command } from '../../../commands/registry'
import { useActors } from '../../../state/actors'

export const actorCommands = (): Command[] =>
  useActors.getState().actors.map(({ name, groups }) => ({
    id: `actor-${name}`,
    title: `Act as ${name} (${groups.join(', ') || 'no groups'})`,
    group: 'User',
    run: () => useActors.getState().actAs(name),
  }))
