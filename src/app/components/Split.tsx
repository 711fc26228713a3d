import type { ReactNode } from 'react'
import { Icon } from './Icon'
import * as texts from './texts'

interface SplitProps {
  list: ReactNode
  detail: ReactNode | undefined
  label: string
  onClose(): void
}

export function Split({ list, detail, label, onClose }: SplitProps) {
  return (
    <div className={detail === undefined ? 'split' : 'split open'}>
      <div className="split-list">{list}</div>
      {detail !== undefined && (
        <section
          className="split-detail"
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onClose()
          }}
        >
          <button
            type="button"
            className="button quiet icon-only split-close"
            aria-label={texts.closeNamed(label)}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
          {detail}
        </section>
      )}
    </div>
  )
}
