/** Whichever dialog is asked for, one at a time, and the short notices. */
import { Dialog } from '../components/Dialog'
import { useView } from '../state/view'
import { About } from './About'
import { Palette } from './Palette'
import { Share } from './Share'
import { Shortcuts } from './Shortcuts'
import { StartWatch } from './StartWatch'

export function Dialogs() {
  const { dialog, question, notice, set } = useView()
  const close = () => set({ dialog: undefined })
  return (
    <>
      {dialog === 'palette' && <Palette onClose={close} />}
      {dialog === 'shortcuts' && <Shortcuts onClose={close} />}
      {dialog === 'about' && <About onClose={close} />}
      {dialog === 'share' && <Share onClose={close} />}
      {dialog === 'watch' && <StartWatch onClose={close} />}
      {question && (
        <Dialog label={question.title} onClose={() => set({ question: undefined })}>
          <div className="dialog-body">
            <h2>{question.title}</h2>
            <p className="soft">{question.text}</p>
            <div className="dialog-actions">
              <button type="button" className="button" data-autofocus onClick={() => set({ question: undefined })}>
                Cancel
              </button>
              <button
                type="button"
                className={`button ${question.danger ? 'danger solid' : 'primary'}`}
                onClick={() => {
                  set({ question: undefined })
                  question.onConfirm()
                }}
              >
                {question.confirm}
              </button>
            </div>
          </div>
        </Dialog>
      )}
      <div aria-live="polite">{notice && <div className={`notice ${notice.tone}`}>{notice.text}</div>}</div>
    </>
  )
}
