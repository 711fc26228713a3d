/** Commands of watches and of the history that they read. */
import type { Command } from '../../commands/registry'
import { notify, useView } from '../../state/view'
import { useWatches } from '../../state/watches'

const view = () => useView.getState()

/** Compaction breaks open continue tokens and lagging watches: confirm first. */
function confirmCompact(): void {
  const compact = () =>
    useWatches
      .getState()
      .compact()
      .then(
        () => notify('History compacted. Watches that resume from an older revision get 410 Gone.'),
        (error: unknown) =>
          notify(
            `History could not be compacted: ${error instanceof Error ? error.message : String(error)}`,
            'bad',
          ),
      )
  view().set({
    question: {
      title: 'Compact history now?',
      text: 'Old revisions are discarded, as kube-apiserver does in etcd every five minutes. Watches and continue tokens from before get 410 Gone.',
      choices: [{ title: 'Compact', run: () => void compact() }],
    },
  })
}

export const WATCH_COMMANDS: Command[] = [
  {
    id: 'watch',
    title: 'Start a watch',
    group: 'Cluster',
    keys: 'Mod+Shift+E',
    run: () => view().set({ dialog: 'watch' }),
  },
  { id: 'compact', title: 'Compact history', group: 'Cluster', run: confirmCompact },
]
