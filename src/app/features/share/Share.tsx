/** A link that carries what a person chooses of the cluster, the files and the log; a file where it grows too long. */
import { useEffect, useMemo, useState } from 'react'
import { copyText } from '../../components/copy'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { Segments } from '../../components/Segments'
import { load, store } from '../../state/stored'
import { accessInWords, sharedAccess } from './access'
import { download } from './actions'
import { COMFORTABLE_LENGTH, encodeScenario, LONGEST_LENGTH } from './link'
import { type Choice, firstChoice, type Holdings, holdings, linkTo, scenarioFrom } from './offer'
import { holdsSecrets } from './secrets'

/** The name under which one shares, for the next time. */
const NAME = 'sharing-as'

export function Share({ onClose }: { onClose: () => void }) {
  const [held, setHeld] = useState<Holdings>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    holdings().then(setHeld, (error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  return (
    <Dialog label="Share this workspace" onClose={onClose}>
      {held ? (
        <Offer held={held} />
      ) : (
        <p>{failure ? `The cluster could not be read: ${failure}` : 'Reading the cluster …'}</p>
      )}
    </Dialog>
  )
}

const count = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? '' : 's'}`

function Offer({ held }: { held: Holdings }) {
  const [choice, setChoice] = useState<Choice>(() => firstChoice(held, load(NAME, '')))
  const change = (part: Partial<Choice>) => setChoice({ ...choice, ...part })
  const scenario = useMemo(() => scenarioFrom(held, choice), [held, choice])
  const secret = useMemo(() => holdsSecrets(held.now, held.files), [held])
  const hash = useMemo(() => encodeScenario(scenario), [scenario])
  const { handlers } = held.circumstances.settings
  const access = useMemo(() => sharedAccess(held.circumstances.settings.access), [held])
  const scripts = held.files.filter(({ language }) => language === 'typescript').length
  return (
    <>
      <p className="soft">
        The link holds {count(scenario.objects.length, 'object')},{' '}
        {count(scenario.tabs.length, 'file')} and {count(scenario.requests?.length ?? 0, 'request')}
        , compressed, after the # (never sent to a server). It opens in a new workspace; scripts and
        webhooks don't run automatically.
      </p>
      <Start held={held} choice={choice} change={change} />
      <fieldset className="checks" aria-label="Contents">
        <Check
          checked={choice.everything}
          onChange={(everything) => change({ everything })}
          title="Include controller-created objects"
        >
          Pods of Deployments, events, nodes… Without them the link is shorter; controllers recreate
          them.
        </Check>
        {held.requests.length > 0 && (
          <Check
            checked={choice.requests}
            onChange={(requests) => change({ requests })}
            title={`The log: ${count(held.requests.length, 'request')}`}
          >
            Requests with their user and status. They can be replayed; values of Secrets and
            credentials are not included.
          </Check>
        )}
        {held.files.length > 0 && (
          <Check
            checked={choice.files}
            onChange={(files) => change({ files })}
            title={`${count(held.files.length, 'file')}${scripts > 0 ? `, of which ${count(scripts, 'script')}` : ''}`}
          />
        )}
        {handlers.length > 0 && (
          <Check
            checked={choice.handlers}
            onChange={(handlers) => change({ handlers })}
            title={`Webhooks written here: ${handlers.map(({ name }) => name).join(', ')}`}
          >
            Their code is included but switched off: the recipient reviews it and switches it on.
          </Check>
        )}
        {access !== undefined && (
          <Check
            checked={choice.access}
            onChange={(access) => change({ access })}
            title={`Who can do what: ${accessInWords(access)}`}
          >
            As configured under Access, without tokens and other credentials.
          </Check>
        )}
        <Check
          checked={choice.view}
          onChange={(view) => change({ view })}
          title="View (section, panels, selection)"
        />
        {secret && (
          <Check
            checked={choice.values}
            onChange={(values) => change({ values })}
            title="The values of Secrets"
          >
            Anyone with the link can read them. Without this, Secrets keep their keys with empty
            values.
          </Check>
        )}
      </fieldset>
      <label className="form-line">
        <span>From</span>
        <input
          className="field"
          placeholder="Your name (optional)"
          maxLength={80}
          value={choice.from}
          onChange={(event) => {
            change({ from: event.target.value })
            store(NAME, event.target.value)
          }}
        />
      </label>
      <Ways hash={hash} />
      <p className="soft small">Left out always: tokens, keys and other credentials.</p>
    </>
  )
}

interface CheckProps {
  checked: boolean
  title: string
  children?: string
  onChange: (checked: boolean) => void
}

function Check({ checked, title, children, onChange }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {title}
        {children && <small>{children}</small>}
      </span>
    </label>
  )
}

interface StartProps {
  held: Holdings
  choice: Choice
  change: (part: Partial<Choice>) => void
}

/** The recipient starts at the current state, or before the logged requests. */
function Start({ held, choice, change }: StartProps) {
  if (held.requests.length === 0) return null
  const { before } = held
  if ('missing' in before)
    return (
      <p className="soft small">
        It starts from the current state of the cluster: {before.missing}.
      </p>
    )
  return (
    <div className="form-line">
      <span>Starts</span>
      <Segments
        label="Starting point"
        value={choice.start}
        choices={[
          { value: 'now', title: 'as it is now' },
          { value: 'before', title: 'before the requests' },
        ]}
        onChoose={(start) => change({ start, ...(start === 'before' ? { requests: true } : {}) })}
      />
    </div>
  )
}

function Ways({ hash }: { hash: string }) {
  const link = linkTo(hash)
  const long = link.length > COMFORTABLE_LENGTH
  const tooLong = link.length > LONGEST_LENGTH
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
      <input
        className="field mono"
        readOnly
        aria-label="Link"
        value={link}
        onFocus={(event) => event.target.select()}
      />
      {long && (
        <p className="note warn">
          {link.length.toLocaleString('en')} characters:{' '}
          {tooLong
            ? 'browsers open no link that is longer than about a million'
            : `some programs (chats, mail, trackers) cut links beyond ${COMFORTABLE_LENGTH.toLocaleString('en')}`}
          . The file always works: drop it onto the page, or open it with “Open files”.
        </p>
      )}
      <div className="dialog-actions">
        {long ? !tooLong && copyLink : saveFile}
        {long ? saveFile : copyLink}
      </div>
    </>
  )
}
