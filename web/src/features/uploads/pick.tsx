import { ChevronDown, Files, FolderUp, ImagePlus, Images, Upload } from "lucide-react";
import { type RefObject, useRef } from "react";
import { mediaWords, uploadWords } from "@/strings/media";
import { Button } from "@/ui/button";
import { Menu, MenuItem } from "@/ui/menu";
import { type Found, picked } from "./files";

const PICTURES = "image/*,.heic,.heif";
const ALL = `${PICTURES},video/mp4,video/webm,video/quicktime`;

interface InputProps {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  onFiles: (found: Found[]) => void;
  accept?: string;
  isFolder?: boolean;
}

/** A hidden file input, opened by a button. */
function HiddenInput({ input, label, onFiles, accept, isFolder = false }: InputProps) {
  return (
    <input
      ref={(element) => {
        input.current = element;
        if (element) element.webkitdirectory = isFolder;
      }}
      type="file"
      multiple
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={(event) => {
        const found = picked(event.target.files);
        // So that the same file can be chosen again.
        event.target.value = "";
        onFiles(found);
      }}
    />
  );
}

/** Adds pictures from this device or, with `onLibrary`, from the library: two buttons, or one with a menu. */
export function AddPictures({ onFiles, onLibrary, isMenu = false }: AddProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  const trigger = (
    <Button>
      <ImagePlus aria-hidden className="size-4" />
      {uploadWords.addPictures}
      <ChevronDown aria-hidden className="-mr-1 size-4" />
    </Button>
  );
  return (
    <>
      <HiddenInput input={input} label={uploadWords.uploadPictures} accept={PICTURES} onFiles={onFiles} />
      {isMenu ? (
        <Menu trigger={trigger}>
          <MenuItem icon={<Upload aria-hidden />} onSelect={choose}>
            {uploadWords.uploadPictures}
          </MenuItem>
          <MenuItem icon={<Images aria-hidden />} onSelect={onLibrary}>
            {uploadWords.fromLibrary}
          </MenuItem>
        </Menu>
      ) : (
        <div className="flex flex-wrap justify-center gap-2">
          <Button kind="primary" onClick={choose}>
            <Upload aria-hidden className="size-4" />
            {uploadWords.uploadPictures}
          </Button>
          <Button onClick={onLibrary}>
            <Images aria-hidden className="size-4" />
            {uploadWords.fromLibrary}
          </Button>
        </div>
      )}
    </>
  );
}

interface AddProps {
  onFiles: (found: Found[]) => void;
  onLibrary: () => void;
  isMenu?: boolean;
}

/** Adds files or a whole folder. */
export function UploadMenu({ onFiles }: { onFiles: (found: Found[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const trigger = (
    <Button kind="primary">
      <Upload aria-hidden className="size-4" />
      {mediaWords.upload}
      <ChevronDown aria-hidden className="-mr-1 size-4" />
    </Button>
  );
  return (
    <>
      <HiddenInput input={files} label={mediaWords.uploadFiles} accept={ALL} onFiles={onFiles} />
      <HiddenInput input={folder} label={mediaWords.uploadFolder} isFolder onFiles={onFiles} />
      <Menu trigger={trigger}>
        <MenuItem icon={<Files aria-hidden />} onSelect={() => files.current?.click()}>
          {mediaWords.uploadFiles}
        </MenuItem>
        <MenuItem icon={<FolderUp aria-hidden />} onSelect={() => folder.current?.click()}>
          {mediaWords.uploadFolder}
        </MenuItem>
      </Menu>
    </>
  );
}
