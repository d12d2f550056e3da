import type { ReactNode } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatMinutes } from './report-texts.ts';

/** A series of a chart: the member of its rows, its label and its color. */
export interface Series {
  name: string;
  label: string;
  color: 'accent' | 'muted';
}

type Row = { label: string } & Record<string, string | number | null>;

const axis = { stroke: 'var(--color-line-strong)', tick: { fill: 'var(--color-muted)', fontSize: 12 } };
const tooltip = {
  contentStyle: {
    background: 'var(--color-raised)',
    border: '1px solid var(--color-line)',
    borderRadius: 6,
    fontSize: 12,
  },
  labelStyle: { color: 'var(--color-text)' },
  itemStyle: { color: 'var(--color-text)' },
  cursor: { fill: 'var(--color-hover)' },
};
const colorOf = ({ color }: Series) => `var(--color-${color})`;
/** The figures are in the table below, so the picture is for the eyes only. */
const picture = { accessibilityLayer: false, margin: { top: 8, right: 8, bottom: 0, left: 0 } };

/** Counts side by side. */
export function CountChart({ rows, series }: { rows: Row[]; series: Series[] }) {
  return (
    <Picture>
      <BarChart data={rows} {...picture}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="label" {...axis} minTickGap={16} />
        <YAxis allowDecimals={false} width={44} {...axis} />
        <Tooltip {...tooltip} />
        {series.length > 1 && <Legend wrapperStyle={{ fontSize: 12 }} />}
        {series.map((each) => (
          <Bar
            key={each.name}
            dataKey={each.name}
            name={each.label}
            fill={colorOf(each)}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </Picture>
  );
}

/** Durations over time. */
export function DurationChart({ rows, series }: { rows: Row[]; series: Series[] }) {
  return (
    <Picture>
      <LineChart data={rows} {...picture}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="label" {...axis} minTickGap={16} />
        <YAxis width={72} {...axis} tickFormatter={(minutes: number) => formatMinutes(minutes)} />
        <Tooltip {...tooltip} formatter={(minutes) => formatMinutes(Number(minutes))} />
        <Legend wrapperStyle={{ fontSize: 12 }} />
        {series.map((each) => (
          <Line
            key={each.name}
            dataKey={each.name}
            name={each.label}
            stroke={colorOf(each)}
            strokeWidth={2}
            dot={rows.length < 40}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </Picture>
  );
}

function Picture({ children }: { children: ReactNode }) {
  return (
    <div aria-hidden="true" className="h-56">
      <ResponsiveContainer width="100%" height="100%">
        {children}
      </ResponsiveContainer>
    </div>
  );
}
