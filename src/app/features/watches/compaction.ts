/** The compaction of history, on request. */
import { notify, useView } from '../../state/view'
import { useWatches } from './state'

/** Compaction breaks open continue tokens and lagging watches: confirm first. */
export function confirmCompact(): void {
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
  useView.getState().set({
    question: {
      title: 'Compact history now?',
      text: 'Old revisions are discarded, as kube-apiserver does in etcd every five minutes. Watches and continue tokens from before get 410 Gone.',
      choices: [{ title: 'Compact', run: () => void compact() }],
    },
  })
}
