import { ticketPriorities } from '@firmdesk/contract';
import { priorityLabels } from '../../tickets/properties/ticket-labels.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { type SlaFields, targetNames } from './sla-values.ts';

const targetLabels = { first_response: 'First response', resolution: 'Resolution' };

/** A row for each priority, with a field for each target. */
export function TargetsTable({ values, problems, isDisabled, onChange }: SlaFields) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-x-2 border-spacing-y-1.5">
      <thead>
        <tr className="text-left text-muted">
          <th scope="col" className="w-20 font-medium">
            Priority
          </th>
          {targetNames.map((name) => (
            <th key={name} scope="col" className="font-medium">
              {targetLabels[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ticketPriorities.map((priority) => (
          <tr key={priority} className="align-top">
            <th scope="row" className="pt-2 text-left font-medium">
              {priorityLabels[priority]}
            </th>
            {targetNames.map((name) => {
              const field = `${priority} ${name}`;
              return (
                <td key={name}>
                  <TextField
                    label={`${targetLabels[name]}, ${priorityLabels[priority]}`}
                    isLabelHidden
                    placeholder="None"
                    value={values.targets[field] ?? ''}
                    disabled={isDisabled}
                    error={problems[field]}
                    onChange={({ target }) => onChange({ targets: { [field]: target.value } })}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
