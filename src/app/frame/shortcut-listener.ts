/** Runs the command of a pressed key, unless a dialog is open. */
import { useEffect } from 'react'
import { commandOf } from '../commands/match-shortcut'
import { useView } from '../state/view'

export function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { dialog, question } = useView.getState()
      const command = commandOf(event)
      if (
        command === undefined ||
        event.defaultPrevented ||
        dialog !== undefined ||
        question !== undefined
      )
        return
      event.preventDefault()
      command.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
