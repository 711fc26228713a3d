import type { Lesson, Move, Prediction, Step } from '../../../../lessons/lesson'
import { startObjects } from '../../../../lessons/start'
import { countText } from '../../../components/format'
import { Icon } from '../../../components/Icon'
import { PREVIEW } from '../texts'
import { Paragraphs, Words } from './Paragraphs'
import { RequestLine } from './RequestLine'

export function LessonPreview({ lesson }: { lesson: Lesson }) {
  const { title, about, minutes, rules, story, start, steps, wrong, after } = lesson
  const objects = startObjects(start.objects)
  return (
    <article className="lesson-preview">
      <h3>{title}</h3>
      <p className="soft">{about}</p>
      <p className="soft small">
        {countText(minutes, 'minute')} · {countText(steps.length, 'step')} · {rules}
      </p>
      <Paragraphs text={story} />
      <p className="soft small">
        {PREVIEW.startsWith(
          objects.length === 0 ? PREVIEW.emptyCluster : countText(objects.length, 'object'),
          start.files.length > 0
            ? PREVIEW.files(start.files.map((file) => file.title).join(', '))
            : '',
        )}
      </p>
      <ol className="lesson-steps">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: while it is written two steps may have the same title
          <li key={index} className="present">
            <PreviewStep step={step} />
          </li>
        ))}
      </ol>
      {wrong.length > 0 && (
        <>
          <h4>{PREVIEW.wrong}</h4>
          <Moves moves={wrong} />
        </>
      )}
      <h4>{PREVIEW.after}</h4>
      <Paragraphs text={after} />
    </article>
  )
}

const STRENGTHS = [PREVIEW.hint, PREVIEW.nextHint, PREVIEW.solution]

function PreviewStep({ step }: { step: Step }) {
  const { title, predict, text, checks, hints, solution } = step
  return (
    <>
      <h4>{title}</h4>
      {predict && <PreviewPrediction prediction={predict} />}
      <Paragraphs text={text} />
      <ul className="lesson-checks">
        {checks.map((check, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two checks can have the same text
          <li key={index} className="soft">
            <Icon name="circle" size={14} /> {check.says}{' '}
            <span className="lesson-kind">{check.kind}</span>
          </li>
        ))}
      </ul>
      {hints.map((hint, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there are three, in their order
        <p key={index} className="note lesson-hint">
          <span className="soft small">{STRENGTHS[index]}: </span>
          <Words text={hint} />
        </p>
      ))}
      {solution.length > 0 && (
        <details>
          <summary>{PREVIEW.solution}</summary>
          <Moves moves={solution} />
        </details>
      )}
    </>
  )
}

function PreviewPrediction({ prediction }: { prediction: Prediction }) {
  const { question, request, choices, because } = prediction
  return (
    <>
      <Paragraphs text={question} />
      <RequestLine request={request} />
      <ul className="lesson-checks">
        {choices.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two choices can have the same text
          <li key={index} className="soft">
            <Icon name="circle" size={14} /> <Words text={choice.says} />
          </li>
        ))}
      </ul>
      <Paragraphs text={because} />
    </>
  )
}

function Moves({ moves }: { moves: readonly Move[] }) {
  return (
    <ol className="lesson-moves mono small">
      {moves.map(({ as, method, path, body }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same request may be sent twice
        <li key={index}>
          {as !== undefined && <span className="soft">{as}: </span>}
          <strong>{method}</strong> {path}
          {body !== undefined && <span className="soft"> {JSON.stringify(body)}</span>}
        </li>
      ))}
    </ol>
  )
}
