// What stands over the columns of a table.
interface HeadsProps {
  of: readonly string[];
  class?: string;
}

/** A line of them. */
export const Heads = ({ of, class: name }: HeadsProps) => (
  <thead class={name}>
    <tr>
      {of.map((title) => (
        <th key={title} scope="col">
          {title}
        </th>
      ))}
    </tr>
  </thead>
);
