/** The stored data of the page, its persistence permission, and how to delete each part. */
import './stored.css'
import { Fragment, useEffect, useState } from 'react'
import { Dialog } from '../../components/Dialog'
import { sizeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import { useConnection } from '../../state/connection'
import { EMBEDDED } from '../../state/embed-parameters'
import { notify, useView } from '../../state/view'
import {
  canRequestPersistence,
  requestPersistence,
  type StorageEstimate,
  storageEstimate,
} from './persistence-permission'
import { type StoredGroup, type StoredThing, storedGroups } from './things'
import { loadAgain, wipe } from './wipe'

export function Stored({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Data stored in this browser" onClose={onClose}>
      {EMBEDDED ? (
        <p>
          Nothing: embedded in another page, kubetab keeps its cluster in memory until the page
          closes.
        </p>
      ) : (
        <WhatIsStored onClose={onClose} />
      )}
    </Dialog>
  )
}

function WhatIsStored({ onClose }: { onClose: () => void }) {
  const [groups, setGroups] = useState<StoredGroup[]>()
  const [looks, setLooks] = useState(0)
  const lookAgain = () => setLooks((before) => before + 1)
  // Something may have been removed: then it is looked at again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when `looks` changes
  useEffect(() => {
    let wanted = true
    void storedGroups().then((found) => wanted && setGroups(found))
    return () => {
      wanted = false
    }
  }, [looks])
  return (
    <>
      <p className="soft">
        Everything stays in this browser and is sent nowhere. There are no cookies. Another browser,
        or a private window, has none of it.
      </p>
      <Promised looks={looks} />
      {groups?.map(({ id, title, things }) => (
        <section key={id} className="stored-group" aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {things.map((thing) => (
              <Thing key={thing.id} thing={thing} onRemoved={lookAgain} />
            ))}
          </ul>
        </section>
      ))}
      <div className="dialog-actions">
        <button type="button" className="button danger stored-all" onClick={confirmWipe}>
          Delete all kubetab data
        </button>
        <button type="button" className="button primary" data-autofocus onClick={onClose}>
          Done
        </button>
      </div>
    </>
  )
}

function Promised({ looks }: { looks: number }) {
  const [keeping, setKeeping] = useState<StorageEstimate>()
  const [denied, setDenied] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when `looks` changes
  useEffect(() => void storageEstimate().then(setKeeping), [looks])
  const inPage = useConnection(({ connection }) => connection?.mode === 'page')
  if (keeping === undefined) return null
  const { persisted, used, quota } = keeping
  const { title, about } = promiseWords(persisted)
  const request = async () => {
    const agreed = await requestPersistence()
    setDenied(!agreed)
    setKeeping(await storageEstimate())
  }
  return (
    <section className="stored-promise" aria-label="Persistence">
      <Icon name={persisted ? 'check' : 'warning'} size={16} />
      <div className="stored-words">
        <strong>{title}</strong>
        <span className="soft">{about}</span>
        {inPage && (
          <span className="soft">
            The server runs in this page, without a service worker; its clusters are stored all the
            same.
          </span>
        )}
        {denied && (
          <span role="status">
            The browser declined. It can agree once this page is bookmarked, installed as an app, or
            visited more often. Export important data.
          </span>
        )}
        <span className="soft">{roomText(used, quota)}</span>
      </div>
      {persisted === false && canRequestPersistence() && (
        <button type="button" className="button small" onClick={() => void request()}>
          Make persistent
        </button>
      )}
    </section>
  )
}

interface Words {
  title: string
  about: string
}

function promiseWords(promised: boolean | undefined): Words {
  if (promised === undefined)
    return {
      title: 'The browser does not report whether storage is persistent',
      about:
        'It has no storage manager, or none for pages that come without HTTPS. Export what matters.',
    }
  return promised
    ? {
        title: 'Storage is persistent',
        about: 'It is kept until you delete it, here or in the browser’s settings.',
      }
    : {
        title: "Storage isn't persistent",
        about:
          'The browser can clear it when space is low; some browsers do so after days without a visit.',
      }
}

function roomText(used: number | undefined, room: number | undefined): string {
  if (used === undefined || room === undefined) return 'It does not report the used space either.'
  return `${sizeText(used)} used, as the browser reports it; the limit of this site is ${sizeText(room)}.`
}

function Thing({ thing, onRemoved }: { thing: StoredThing; onRemoved: () => void }) {
  const { title, about, amount, save, remove } = thing
  return (
    <li>
      <div className="stored-words">
        <span>
          {title} <Amount amount={amount} />
        </span>
        <span className="soft small">{about}</span>
      </div>
      {save && (
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={save.title}
          title={save.title}
          onClick={save.run}
        >
          <Icon name="download" size={14} />
        </button>
      )}
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={remove.title}
        title={remove.title}
        onClick={() => confirmRemoval(thing, onRemoved)}
      >
        <Icon name="trash" size={14} />
      </button>
    </li>
  )
}

function Amount({ amount }: { amount: Promise<string> }) {
  const [text, setText] = useState('…')
  useEffect(() => {
    let wanted = true
    const show = (words: string) => wanted && setText(words)
    amount.then(show, () => show('it cannot be read'))
    return () => {
      wanted = false
    }
  }, [amount])
  return (
    <Fragment>
      {' '}
      <span className="soft stored-amount">{text}</span>
    </Fragment>
  )
}

function confirmRemoval(thing: StoredThing, onRemoved: () => void): void {
  const { save, remove } = thing
  const choices = [
    ...(save
      ? [{ title: save.title.startsWith('Export') ? 'Export it' : 'Save a copy', run: save.run }]
      : []),
    { title: remove.words.button, danger: true, run: () => void removed(thing, onRemoved) },
  ]
  useView.getState().set({ question: { ...remove.question, choices } })
}

async function removed({ title, remove }: StoredThing, onRemoved: () => void): Promise<void> {
  const { run, words, loadsAgain } = remove
  try {
    await run()
    if (loadsAgain) loadAgain()
    else notify(`${title}: ${words.done}`)
  } catch (error) {
    notify(`${title}: ${error instanceof Error ? error.message : String(error)}`, 'bad')
  }
  onRemoved()
}
function confirmWipe(): void {
  useView.getState().set({
    question: {
      title: 'Delete all kubetab data from this browser?',
      text: 'The clusters and files of all workspaces, lesson progress, layout and offline copy will be permanently deleted. Other tabs of this page close. Export first what you want to keep.',
      choices: [{ title: 'Remove everything', danger: true, run: leave }],
    },
  })
}

function leave(): void {
  try {
    wipe()
  } catch {
    notify('This browser lets the page store nothing, so there is nothing to remove', 'bad')
  }
}
