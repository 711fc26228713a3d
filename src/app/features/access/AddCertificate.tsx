/** Creates a key and a CertificateSigningRequest, approves it and waits for the signer. */
import { type ReactNode, useState } from 'react'
import { Icon } from '../../components/Icon'
import { useActors } from '../../state/actors'
import { notify } from '../../state/view'
import { useBusy } from './busy'
import { approve, issuedCertificate, recognized, requestCertificate } from './identities/requests'
import { approveAs, CERTIFICATE } from './identities/texts'
import { ObjectLink } from './ObjectLink'
import { actAs, actingAs } from './texts'

const DAY_SECONDS = 86_400

type Progress =
  | { at: 'form' }
  | { at: 'requested'; request: string }
  | { at: 'issued'; request: string; name: string }

export function AddCertificate() {
  const [commonName, setCommonName] = useState('jane')
  const [organizations, setOrganizations] = useState('developers')
  const [progress, setProgress] = useState<Progress>({ at: 'form' })
  const acting = useActors((state) => state.actor.name)
  const { busy, failure, run } = useBusy()
  const request = progress.at === 'form' ? undefined : progress.request
  const submit = () =>
    run(async () => {
      const groups = organizations.split(/[\s,]+/).filter(Boolean)
      setProgress({
        at: 'requested',
        request: await requestCertificate({ commonName, organizations: groups }, DAY_SECONDS),
      })
    })
  const approveIt = (name: string) =>
    run(async () => {
      await approve(name)
      const actor = await recognized({
        token: undefined,
        certificate: await issuedCertificate(name),
        from: 'client certificate',
      })
      useActors.getState().add(actor)
      setProgress({ at: 'issued', request: name, name: actor.name })
    })
  const use = (name: string) => {
    useActors.getState().actAs(name)
    notify(actingAs(name))
  }
  return (
    <div className="add-form">
      <p className="soft">{CERTIFICATE.about}</p>
      <div className="pair">
        <label>
          <span className="field-title">{CERTIFICATE.commonName}</span>
          <input
            className="field mono"
            value={commonName}
            disabled={progress.at !== 'form'}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setCommonName(event.target.value)}
          />
        </label>
        <label>
          <span className="field-title">{CERTIFICATE.organizations}</span>
          <input
            className="field mono"
            value={organizations}
            disabled={progress.at !== 'form'}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setOrganizations(event.target.value)}
          />
        </label>
      </div>
      <ol className="progress">
        <Stage done={progress.at !== 'form'} title={CERTIFICATE.generate}>
          {request === undefined ? (
            <button
              type="button"
              className="button primary"
              disabled={busy || commonName.trim() === ''}
              onClick={submit}
            >
              {CERTIFICATE.create}
            </button>
          ) : (
            <ObjectLink
              group="certificates.k8s.io"
              kind="CertificateSigningRequest"
              namespace=""
              name={request}
            />
          )}
        </Stage>
        <Stage done={progress.at === 'issued'} title={CERTIFICATE.approve}>
          {progress.at === 'requested' && (
            <button
              type="button"
              className="button primary"
              disabled={busy}
              onClick={() => approveIt(progress.request)}
            >
              {busy ? CERTIFICATE.waiting : approveAs(acting)}
            </button>
          )}
          {progress.at === 'issued' && <span className="soft">{CERTIFICATE.signed}</span>}
        </Stage>
        <Stage done={progress.at === 'issued' && acting === progress.name} title={CERTIFICATE.use}>
          {progress.at === 'issued' && (
            <div className="button-row">
              <button type="button" className="button primary" onClick={() => use(progress.name)}>
                {actAs(progress.name)}
              </button>
              <button type="button" className="button" onClick={() => setProgress({ at: 'form' })}>
                {CERTIFICATE.another}
              </button>
            </div>
          )}
        </Stage>
      </ol>
      {failure && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      <PasteCertificate />
    </div>
  )
}

function Stage({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  return (
    <li className={done ? 'done' : ''}>
      <span className="progress-sign">{done && <Icon name="check" size={14} />}</span>
      <div>
        <strong>{title}</strong>
        <div>{children}</div>
      </div>
    </li>
  )
}

function PasteCertificate() {
  const [text, setText] = useState('')
  const { busy, failure, run } = useBusy()
  const add = () =>
    run(async () => {
      const actor = await recognized({
        token: undefined,
        certificate: text.trim(),
        from: 'client certificate',
      })
      useActors.getState().add(actor)
      useActors.getState().actAs(actor.name)
      setText('')
      notify(actingAs(actor.name))
    })
  return (
    <details>
      <summary className="soft">{CERTIFICATE.paste}</summary>
      <div className="add-form">
        <textarea
          className="field"
          aria-label={CERTIFICATE.pem}
          placeholder={CERTIFICATE.pemStart}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        {failure && <p className="note bad">{failure}</p>}
        <div className="button-row">
          <button
            type="button"
            className="button"
            disabled={busy || text.trim() === ''}
            onClick={add}
          >
            {CERTIFICATE.act}
          </button>
        </div>
      </div>
    </details>
  )
}
