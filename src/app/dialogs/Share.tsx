/** A link that carries the cluster's objects and the files; a file where it grows too long. */
import { useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../engine/object'
import { copyText } from '../components/copy'
import { Dialog } from '../components/Dialog'
import { Icon } from '../components/Icon'
import { download } from '../share/actions'
import { exportObjects } from '../share/cluster'
import { withoutBootstrap } from '../share/cluster-file'
import { COMFORTABLE_LENGTH, encodeScenario } from '../share/link'
import { holdsSecrets, withoutSecretTexts, withoutSecretValues } from '../share/secrets'
import { type EditorTab, useEditors } from '../state/editors'

export function Share({ onClose }: { onClose: () => void }) {
  const tabs = useEditors((state) => state.tabs)
  const [objects, setObjects] = useState<KubeObject[]>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    exportObjects().then(
      (all) => setObjects(withoutBootstrap(all)),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  return (
    <Dialog label="Share what you have here" onClose={onClose}>
      {objects ? (
        <Offer objects={objects} tabs={tabs} />
      ) : (
        <p>{failure ? `The cluster could not be read: ${failure}` : 'Reading the cluster …'}</p>
      )}
    </Dialog>
  )
}

/** What of a file goes along. */
const shared = ({ title, language, text, manager }: Omit<EditorTab, 'id'>) => ({
  title,
  language,
  text,
  ...(manager ? { manager } : {}),
})

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

function Offer({ objects, tabs }: { objects: KubeObject[]; tabs: EditorTab[] }) {
  const [values, setValues] = useState(false)
  const files = useMemo(() => tabs.filter(({ text }) => text.trim() !== ''), [tabs])
  const secret = useMemo(() => holdsSecrets(objects, files), [objects, files])
  const hash = useMemo(
    () =>
      encodeScenario({
        objects: values ? objects : withoutSecretValues(objects),
        tabs: (values ? files : withoutSecretTexts(files)).map(shared),
      }),
    [objects, files, values],
  )
  const link = `${location.origin}${location.pathname}#${hash}`
  const long = link.length > COMFORTABLE_LENGTH
  const copyLink = (
    <button
      type="button"
      className={long ? 'button' : 'button primary'}
      data-autofocus={long ? undefined : ''}
      onClick={() => void copyText(link, 'The link')}
    >
      <Icon name="copy" size={14} /> Copy the link
    </button>
  )
  const saveFile = (
    <button
      type="button"
      className={long ? 'button primary' : 'button'}
      data-autofocus={long ? '' : undefined}
      onClick={() => download('scenario.kubetab', hash, 'text/plain')}
    >
      <Icon name="file" size={14} /> Save as a file
    </button>
  )
  return (
    <>
      <p className="soft">
        The link holds {count(objects.length, 'object')} and {count(files.length, 'file')}, compressed, in the part of the address that no
        server sees. Whoever opens it is asked first; scripts in it never run by themselves.
      </p>
      {secret && (
        <label className="check">
          <input type="checkbox" checked={values} onChange={(event) => setValues(event.target.checked)} />
          <span>
            Include the values of Secrets
            <small>Whoever has the link can read them. Without this, Secrets keep their keys with empty values.</small>
          </span>
        </label>
      )}
      <input className="field mono" readOnly aria-label="Link" value={link} onFocus={(event) => event.target.select()} />
      {long && (
        <p className="note warn">
          {link.length.toLocaleString()} characters: some programs cut links beyond {COMFORTABLE_LENGTH.toLocaleString()}. The file always
          works: drop it onto the page, or open it with “Open files”.
        </p>
      )}
      <div className="dialog-actions">
        {long ? copyLink : saveFile}
        {long ? saveFile : copyLink}
      </div>
    </>
  )
}
