/** Buttons for a file that a command waits for: save, or cancel. */
import { runCommand } from '../../commands/registry'
import { Keys } from '../../components/Keys'
import type { EditorTab } from '../../state/editors'
import { closeTab } from './close-tab'

/** @param short room is scarce: no shortcut */
export function EditButtons({ tab, short }: { tab: EditorTab; short: boolean }) {
  return (
    <>
      <button type="button" className="button" onClick={() => closeTab(tab)}>
        Give up
      </button>
      <button type="button" className="button primary" onClick={() => runCommand('run')}>
        Save {!short && <Keys keys="Mod+Enter" />}
      </button>
    </>
  )
}
