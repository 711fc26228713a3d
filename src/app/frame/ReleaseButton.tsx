import { runCommand } from '../commands/registry'
import { Icon } from '../components/Icon'
import { useRelease } from '../state/settings'
import * as texts from './texts'

export function ReleaseButton() {
  const release = useRelease()
  return (
    <button
      type="button"
      className="button release"
      aria-haspopup="dialog"
      aria-label={texts.releaseNamed(release)}
      onClick={() => runCommand('release')}
    >
      <span className="wide-only">{texts.kubernetes}</span> {release} <Icon name="down" size={12} />
    </button>
  )
}
