interface SegmentsProps<Value extends string> {
  label: string
  value: NoInfer<Value>
  choices: readonly { value: Value; title: string }[]
  onChoose: (value: NoInfer<Value>) => void
}

export function Segments<Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: SegmentsProps<Value>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.title}
        </button>
      ))}
    </fieldset>
  )
}
