import { Keys } from '../../../commands/Keys'
import { runCommand } from '../../../commands/registry'
import { Icon } from '../../../components/Icon'
import { useScripts } from '../../scripts/runner'
import * as texts from '../shell-texts'

export function ScriptButtons({ source }: { source: string }) {
  const running = useScripts((state) => state.running)
  const stop = useScripts((state) => state.stop)
  if (running) {
    return (
      <button type="button" className="button danger" onClick={stop}>
        <Icon name="stop" size={14} /> {texts.stop}
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
      <Icon name="play" size={14} /> {texts.run} <Keys keys="Mod+Enter" />
    </button>
  )
}
