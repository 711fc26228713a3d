import type { Command } from '../../../commands/registry'
import { useActors } from '../../../state/actors'
import * as texts from '../shell-texts'

export const actorCommands = (): Command[] =>
  useActors.getState().actors.map(({ name, groups }) => ({
    id: `actor-${name}`,
    title: texts.actAs(name, groups),
    group: 'User',
    run: () => useActors.getState().actAs(name),
  }))
