/** What this is, in five seconds, and three ways in. Gone once somebody has gone one of them. */
import { runCommand } from '../../commands'
import { Icon, type IconName } from '../../components/Icon'
import { SAMPLES } from '../../manifests/samples'
import { activeTab, useEditors } from '../../state/editors'
import { useRelease } from '../../state/settings'
import { useView } from '../../state/view'

interface Way {
  title: string
  text: string
  icon: IconName
  go(): void
}

const WAYS: Way[] = [
  {
    title: 'Take a lesson',
    text: 'Ten minutes each, in a cluster of its own, with hints.',
    icon: 'learn',
    go: () => runCommand('place-lessons'),
  },
  { title: 'Paste a manifest', text: 'Yours, as you would give it to kubectl apply.', icon: 'file', go: () => runCommand('new') },
  {
    title: 'Open the console',
    text: 'kubectl for the cluster in this tab, with completion and pipes.',
    icon: 'console',
    go: () => runCommand('show-console'),
  },
]

/** The sample may have been closed or changed: what runs is what is shown. */
function runSample(): void {
  const [sample] = SAMPLES
  if (sample && activeTab(useEditors.getState()).text !== sample.text) runCommand(`sample-${sample.title}`)
  runCommand('run')
}

export function Welcome() {
  const close = () => useView.getState().set({ welcome: false })
  const release = useRelease()
  return (
    <section className="welcome" aria-label="Welcome">
      <h2>The Kubernetes API server, whole, in this tab</h2>
      <p>
        Release {release}, simulated in your browser: nothing to install, nothing leaves this page.{' '}
        <button type="button" className="link" onClick={() => runCommand('about')}>
          What is simulated, what is not
        </button>
      </p>
      <button
        type="button"
        className="button primary welcome-sample"
        onClick={() => {
          close()
          runSample()
        }}
      >
        <Icon name="play" size={14} /> Run the sample below
      </button>
      <div className="ways">
        {WAYS.map(({ title, text, icon, go }) => (
          <button
            key={title}
            type="button"
            className="way"
            onClick={() => {
              close()
              go()
            }}
          >
            <Icon name={icon} size={18} />
            <strong>{title}</strong>
            <span>{text}</span>
          </button>
        ))}
      </div>
      <button type="button" className="button quiet icon-only welcome-close" aria-label="Close the welcome" onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  )
}
