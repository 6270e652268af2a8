// A question in front of the page: the browser keeps the focus in it, and Escape leaves it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useWork } from "../use-work.ts";
import { Trouble } from "./trouble.tsx";

interface DialogProps {
  title: string;
  /** Also by Escape. */
  close(): void;
  children: ComponentChildren;
}

/** Open for as long as it is drawn. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // A browser gives the focus back only where the dialog is closed before it goes.
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

interface FormProps extends DialogProps {
  /** What the button says that does it. */
  submit: string;
  save(): Promise<void>;
}

/** A dialog that asks for something, does it, and says what was refused. */
export function FormDialog({ title, close, submit, save, children }: FormProps) {
  const { error, run } = useWork();
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        {children}
        {error !== undefined && <Trouble error={error} />}
        <p class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="main">
            {submit}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
