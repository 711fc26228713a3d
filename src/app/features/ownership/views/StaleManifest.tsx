/** The file differs from what was sent: the ways out would undo later edits. */
import { useEditors } from '../../manifests/editors'
import { useResults } from '../../manifests/results'
import { CONFLICT_HELP, changedSince } from '../texts'

export function useStale(): boolean {
  const tab = useResults((state) => state.tab)
  const text = useResults((state) => state.text)
  return useEditors(({ tabs }) => tabs.find(({ id }) => id === tab)?.text !== text)
}

export function StaleManifest() {
  const tab = useResults((state) => state.tab)
  const action = useResults((state) => state.action)
  const running = useResults((state) => state.running)
  const run = useResults((state) => state.run)
  const title = useEditors(({ tabs }) => tabs.find(({ id }) => id === tab)?.title)
  if (!useStale()) return null
  if (title === undefined) return <p className="note">{CONFLICT_HELP.closed}</p>
  return (
    <p className="note">
      {changedSince(title)}{' '}
      <button
        type="button"
        className="link"
        disabled={running}
        onClick={() => void run(action, tab)}
      >
        {CONFLICT_HELP.resend}
      </button>{' '}
      {CONFLICT_HELP.resendWhy}
    </p>
  )
}
