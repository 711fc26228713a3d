import './stored.css'
import { useEffect, useState } from 'react'
import { Dialog } from '../../components/Dialog'
import { EMBEDDED } from '../../state/embed-parameters'
import { notify, useView } from '../../state/view'
import { Persistence } from './Persistence'
import { StoredItem } from './StoredItem'
import { STORED } from './texts'
import { type StoredGroup, storedGroups } from './things'
import { wipe } from './wipe'

export function Stored({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label={STORED.title} onClose={onClose}>
      {EMBEDDED ? <p>{STORED.embedded}</p> : <WhatIsStored onClose={onClose} />}
    </Dialog>
  )
}

function WhatIsStored({ onClose }: { onClose: () => void }) {
  const [groups, setGroups] = useState<StoredGroup[]>()
  const [looks, setLooks] = useState(0)
  const lookAgain = () => setLooks((before) => before + 1)
  // Reads the data again after a deletion.
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
      <p className="soft">{STORED.about}</p>
      <Persistence looks={looks} />
      {groups?.map(({ id, title, things }) => (
        <section key={id} className="stored-group" aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {things.map((thing) => (
              <StoredItem key={thing.id} thing={thing} onRemoved={lookAgain} />
            ))}
          </ul>
        </section>
      ))}
      <div className="dialog-actions">
        <button type="button" className="button danger stored-all" onClick={confirmWipe}>
          {STORED.wipe}
        </button>
        <button type="button" className="button primary" data-autofocus onClick={onClose}>
          {STORED.done}
        </button>
      </div>
    </>
  )
}

function confirmWipe(): void {
  useView.getState().set({
    question: {
      title: STORED.wipeQuestion,
      text: STORED.wipeConsequence,
      choices: [{ title: STORED.wipeConfirm, danger: true, run: leave }],
    },
  })
}

function leave(): void {
  try {
    wipe()
  } catch {
    notify(STORED.notAvailable, 'bad')
  }
}
