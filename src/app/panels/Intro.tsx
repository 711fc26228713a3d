/** What this is, in five seconds, and three ways in. Gone once somebody has looked around. */
import { useState } from 'react'
import { commands } from '../commands'
import { useEditors } from '../state/editors'
import { recall, remember } from '../state/stored'
import { useView } from '../state/view'

export function Intro() {
  const [shown, setShown] = useState(() => recall('intro', true))
  if (!shown) return null
  const close = () => {
    remember('intro', false)
    setShown(false)
  }
  const ways = [
    {
      title: 'Run the sample',
      text: 'Apply a Deployment and a Service, and see them appear',
      go: () =>
        commands()
          .find(({ id }) => id === 'run')
          ?.run(),
    },
    {
      title: 'Paste a manifest',
      text: 'Yours, as you would give it to kubectl',
      go: () => void useEditors.getState().open({ title: 'mine.yaml', language: 'yaml', text: '' }),
    },
    { title: 'Watch something', text: 'Every change, live, as a client sees it', go: () => useView.getState().set({ dialog: 'watch' }) },
  ]
  return (
    <section className="intro" aria-label="Welcome">
      <div className="intro-words">
        <h1>The Kubernetes API server, whole, in this tab</h1>
        <p className="soft">Nothing to install, nothing leaves your browser. Try anything: you can always reset.</p>
      </div>
      <div className="intro-ways">
        {ways.map(({ title, text, go }) => (
          <button
            key={title}
            type="button"
            className="way"
            onClick={() => {
              go()
              close()
            }}
          >
            <strong>{title}</strong>
            <span>{text}</span>
          </button>
        ))}
      </div>
      <button type="button" className="button quiet icon intro-close" aria-label="Close the welcome" onClick={close}>
        ×
      </button>
    </section>
  )
}
