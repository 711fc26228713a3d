/** Commands of watches and of the history that they read. */
import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'

export const WATCH_COMMANDS: Command[] = [
  {
    id: 'watch',
    title: 'Start a watch',
    group: 'Cluster',
    keys: 'Mod+Shift+E',
    run: () => useView.getState().set({ dialog: 'watch' }),
  },
  {
    id: 'compact',
    title: 'Compact history',
    group: 'Cluster',
    run: () => void import('./compaction').then(({ confirmCompact }) => confirmCompact()),
  },
]
