import { runCommand } from '../../../commands/registry'
import { Icon, type IconName } from '../../../components/Icon'
import { useRelease } from '../../../state/settings'
import { useView } from '../../../state/view'
import { activeTab, useEditors } from '../editors'
import { SAMPLES } from '../samples'
import * as texts from '../shell-texts'

interface Way {
  title: string
  text: string
  icon: IconName
  go(): void
}

const WAYS: Way[] = [
  {
    title: texts.startLesson,
    text: texts.startLessonHint,
    icon: 'learn',
    go: () => runCommand('place-lessons'),
  },
  {
    title: texts.pasteManifest,
    text: texts.pasteManifestHint,
    icon: 'file',
    go: () => runCommand('new'),
  },
  {
    title: texts.openConsole,
    text: texts.openConsoleHint,
    icon: 'console',
    go: () => runCommand('show-console'),
  },
]

/** Reopens the sample, which can have been closed or changed. */
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
    <section className="welcome" aria-label={texts.welcome}>
      <h2>{texts.welcomeTitle}</h2>
      <p>
        {texts.welcomeAbout(release)}{' '}
        <button type="button" className="link" onClick={() => runCommand('about')}>
          {texts.simulated}
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
        <Icon name="play" size={14} /> {texts.runSample}
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
        aria-label={texts.closeWelcome}
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </section>
  )
}
