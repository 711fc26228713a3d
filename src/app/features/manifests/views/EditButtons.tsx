import { Keys } from '../../../commands/Keys'
import { runCommand } from '../../../commands/registry'
import type { EditorTab } from '../editors'
import * as texts from '../shell-texts'
import { closeTab } from './close-tab'

export function EditButtons({ tab, short }: { tab: EditorTab; short: boolean }) {
  return (
    <>
      <button type="button" className="button" onClick={() => closeTab(tab)}>
        {texts.cancel}
      </button>
      <button type="button" className="button primary" onClick={() => runCommand('run')}>
        {texts.save} {!short && <Keys keys="Mod+Enter" />}
      </button>
    </>
  )
}
