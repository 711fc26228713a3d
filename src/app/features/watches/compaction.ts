import { notify, useView } from '../../state/view'
import { useWatches } from './state'
import { COMPACTION } from './texts'

/** Compaction breaks open continue tokens and lagging watches. */
export function confirmCompact(): void {
  const compact = () =>
    useWatches
      .getState()
      .compact()
      .then(
        () => notify(COMPACTION.compacted),
        (error: unknown) =>
          notify(COMPACTION.failed(error instanceof Error ? error.message : String(error)), 'bad'),
      )
  useView.getState().set({
    question: {
      title: COMPACTION.question,
      text: COMPACTION.consequence,
      choices: [{ title: COMPACTION.compact, run: () => void compact() }],
    },
  })
}
