/** The length decides which is first. */
import { copyText } from '../../components/copy'
import { Icon } from '../../components/Icon'
import { download } from './actions'
import { COMFORTABLE_LENGTH, LONGEST_LENGTH } from './link'
import { linkTo } from './offer'
import { LINK } from './texts'

export function ShareLink({ hash }: { hash: string }) {
  const link = linkTo(hash)
  const long = link.length > COMFORTABLE_LENGTH
  const tooLong = link.length > LONGEST_LENGTH
  const copyLink = (
    <button
      type="button"
      className={long ? 'button' : 'button primary'}
      data-autofocus={long ? undefined : ''}
      onClick={() => void copyText(link, LINK.copied)}
    >
      <Icon name="copy" size={14} /> {LINK.copy}
    </button>
  )
  const saveFile = (
    <button
      type="button"
      className={long ? 'button primary' : 'button'}
      data-autofocus={long ? '' : undefined}
      onClick={() => download('scenario.kubetab', hash, 'text/plain')}
    >
      <Icon name="file" size={14} /> {LINK.save}
    </button>
  )
  return (
    <>
      <input
        className="field mono"
        readOnly
        aria-label={LINK.label}
        value={link}
        onFocus={(event) => event.target.select()}
      />
      {long && (
        <p className="note warn">
          {LINK.long(link.length, tooLong ? LINK.tooLong : LINK.cut(COMFORTABLE_LENGTH))}
        </p>
      )}
      <div className="dialog-actions">
        {long ? !tooLong && copyLink : saveFile}
        {long ? saveFile : copyLink}
      </div>
    </>
  )
}
