import { useEffect, useState } from 'react'
import { Icon } from '../../components/Icon'
import { notify, useView } from '../../state/view'
import { STORED } from './texts'
import type { StoredThing } from './things'
import { loadAgain } from './wipe'

export function StoredItem({ thing, onRemoved }: { thing: StoredThing; onRemoved: () => void }) {
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
    amount.then(show, () => show(STORED.unreadable))
    return () => {
      wanted = false
    }
  }, [amount])
  return <span className="soft stored-amount">{text}</span>
}

function confirmRemoval(thing: StoredThing, onRemoved: () => void): void {
  const { save, remove } = thing
  const choices = [
    ...(save ? [{ title: save.button, run: save.run }] : []),
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
