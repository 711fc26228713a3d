import { CopyButton } from '../../../components/CopyButton'
import { Icon } from '../../../components/Icon'
import { TextDiff } from '../../../components/TextDiff'
import { notify, useView } from '../../../state/view'
import { useEditors } from '../../manifests/editors'
import type { CheckedManifest } from '../findings'
import { nameOf, remarksOf } from '../report'
import { CHECK } from '../texts'

export function CheckedManifestDetail({ one }: { one: CheckedManifest }) {
  const remarks = remarksOf(one)
  const { rewritten, manifest } = one
  const open = () => {
    if (rewritten === undefined) return
    useEditors.getState().open({
      title: `${(manifest.object.metadata.name ?? 'rewritten').slice(0, 40)}.yaml`,
      language: 'yaml',
      text: rewritten.text,
    })
    useView.getState().set({ pane: 'editor' })
    notify(CHECK.opened)
  }
  return (
    <section className="found-detail" aria-label={nameOf(manifest)}>
      <h3>{nameOf(manifest)}</h3>
      {remarks.length === 0 ? <p>{CHECK.accepted}</p> : null}
      <ul>
        {remarks.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {rewritten && (
        <>
          <div className="found-actions">
            <span className={`chip ${rewritten.accepted ? 'good' : 'bad'}`}>
              {rewritten.accepted ? CHECK.rewrittenAccepted : CHECK.stillRejected}
            </span>
            <button type="button" className="button small" onClick={open}>
              <Icon name="edit" size={14} /> {CHECK.open}
            </button>
            <CopyButton text={() => rewritten.text} what={CHECK.copied} label={CHECK.copy} />
          </div>
          <TextDiff before={manifest.text} after={rewritten.text} />
        </>
      )}
    </section>
  )
}
