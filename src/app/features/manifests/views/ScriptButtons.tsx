/** Run, and stop. */

import { Keys } from '../../../commands/Keys'
import { runCommand } from '../../../commands/registry'
import { Icon } from '../../../components/Icon'
import { useScripts } from '../../scripts/runner'

export function ScriptButtons({ source }: { source: string }) {
  const { running, stop } = useScripts()
  if (running) {
    return (
      <button type="button" className="button danger" onClick={stop}>
        <Icon name="stop" size={14} /> Stop
      </button>
    )
  }
  return (
    <button
      type="button"
      className="button primary"
      disabled={source.trim() === ''}
      onClick={() => runCommand('run')}
    >
      <Icon name="play" size={14} /> Run <Keys keys="Mod+Enter" />
    </button>
  )
}
