// Spanish: a data pipeline; a plan refused with a reason, then accepted.
import type { Person } from "../script.ts";

export const spanishData: Person = {
  name: "spanish-data",
  cwd: "/home/ana/ventas-etl",
  sessions: [
    {
      start: "2026-03-09T09:00:00Z",
      steps: [
        { user: "Necesitamos cargar las ventas de las tiendas cada noche. Hazme un plan." },
        {
          plans:
            "1. Leer los CSV de cada tienda\n2. Cargar todo en una tabla nueva\n3. Borrar los CSV",
          accepted: false,
          because: "No borres los CSV: auditoría los necesita siete años. Muévelos a archivo/.",
        },
        {
          plans:
            "1. Leer los CSV de cada tienda\n2. Cargar en ventas_diarias con upsert por tienda y fecha\n3. Mover los CSV a archivo/",
          accepted: true,
        },
        {
          writes: "etl/carga.py",
          content: "def cargar(tienda, fecha):\n    upsert('ventas_diarias', tienda, fecha)\n",
        },
        {
          runs: "pytest etl",
          prints: "E   UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf1",
          fails: true,
        },
        { edits: "etl/lectura.py", from: "open(ruta)", to: "open(ruta, encoding='latin-1')" },
        { runs: "pytest etl", prints: "9 passed" },
        {
          says: "La carga funciona. Los CSV de las tiendas vienen en latin-1, no en UTF-8: por eso fallaba la eñe. Falta programar el cron a las 02:30 y avisar a Marta cuando falle.",
        },
        { user: "Perfecto. El cron lo dejo para el jueves." },
        { says: "De acuerdo: el cron queda pendiente para el jueves." },
      ],
    },
  ],
  notes: [
    {
      id: "csv",
      note: "CSV files are never deleted, but moved to archivo/, as audit needs them for seven years.",
      ask: "se pueden borrar los CSV",
      tokens: [["archivo/"], ["auditoría", "siete años"]],
    },
    {
      id: "plan",
      note: "The accepted plan: upsert into ventas_diarias by shop and date.",
      ask: "tabla de destino de las ventas",
      tokens: [["ventas_diarias"]],
    },
    {
      id: "latin1",
      note: "The shops' files are latin-1.",
      ask: "por qué fallaba la eñe",
      tokens: [["latin-1"]],
    },
    {
      id: "cron",
      note: "Open: the cron job at 02:30, on Thursday.",
      ask: "cuándo se programa el cron",
      tokens: [["cron"], ["jueves", "02:30"]],
    },
    {
      id: "marta",
      note: "Marta is to be told when it fails.",
      ask: "a quién avisar si falla",
      tokens: [["Marta"]],
    },
  ],
  never: [
    {
      id: "delete",
      what: "The plan deletes the CSV files.",
      tokens: [["3. Borrar los CSV"]],
      unless: ["refus", "reject", "declin", "auditor"],
    },
  ],
};
