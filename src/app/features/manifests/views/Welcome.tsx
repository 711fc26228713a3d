/** The welcome view: what this is, and three ways to start. Hidden after the first use. */
import { runCommand } from '../../../commands/registry'
import { Icon, type IconName } from '../../../components/Icon'
import { useRelease } from '../../../state/settings'
import { useView } from '../../../state/view'
import { activeTab, useEditors } from '../editors'
import { SAMPLES } from '../samples'

interface Way {
  title: string
  text: string
  icon: IconName
  go(): void
}

const WAYS: Way[] = [
  {
    title: 'Start a lesson',
    text: 'Ten minutes each, with hints, in a separate cluster.',
    icon: 'learn',
    go: () => runCommand('place-lessons'),
  },
  {
    title: 'Paste a manifest',
    text: "Paste YAML just as you'd pass it to kubectl apply.",
    icon: 'file',
    go: () => runCommand('new'),
  },
  {
    title: 'Open the console',
    text: 'kubectl for this cluster, with tab completion and pipes.',
    icon: 'console',
    go: () => runCommand('show-console'),
  },
]

/** The sample may have been closed or changed: what runs is what is shown. */
function runSample(): void {
  const [sample] = SAMPLES
  if (sample && activeTab(useEditors.getState()).text !== sample.text)
    runCommand(`sample-${sample.title}`)
  runCommand('run')
}

export function Welcome() {
  const close = () => useView.getState().set({ welcome: false })
  const release = useRelease()
  return (
    <section className="welcome" aria-label="Welcome">
      <h2>A complete Kubernetes API server in this tab</h2>
      <p>
        Kubernetes {release}, simulated in your browser. Nothing to install; no data leaves this
        page.{' '}
        <button type="button" className="link" onClick={() => runCommand('about')}>
          What's simulated and what isn't
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
      <button
        type="button"
        className="button quiet icon-only welcome-close"
        aria-label="Close welcome panel"
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </section>
  )
}
