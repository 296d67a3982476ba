import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fault to plant: lines of main sources, and the lines that take their place.
 *
 * <pre>
 * == id: what the fault does, or what a user sees of it
 * promise: a sentence              what the fault breaks; a fault with a promise is a row
 * at: Class, Class.method          the code that makes the promise
 * test: MODULE Class#method        the test that finds the fault; in a row, the test that proves the promise
 * found: hang                      how the test of a row finds it: by an assertion (the default), a hang, or a crash
 * modules: MODULE ...              run all tests of these modules if that test passes, or if no test is named
 * file: path/of/a/Source.java
 * - consecutive lines of that file, which occur once; blanks at their ends do not count
 * + the lines in their place, or none
 * </pre>
 */
final class Fault {

    final String id;
    final Map<String, List<Hunk>> hunks = new LinkedHashMap<>(); // by the path of the changed file
    List<String> modules = List.of();
    String promise = "";
    String test = "";
    String found = "assertion";
    private int hash; // of the lines above and the hunks: what was planted

    private Fault(String id) {
        this.id = id;
    }

    private record Hunk(List<String> before, List<String> after) {}

    /** Returns a number that differs if anything of this fault is changed. */
    String version() {
        return Integer.toHexString(hash);
    }

    /** Thrown if a fault does not fit the code. */
    static final class OutOfStep extends RuntimeException {

        OutOfStep(String message) {
            super(message);
        }
    }

    static List<Fault> read(Path file) throws IOException {
        List<Fault> faults = new ArrayList<>();
        String changed = "";
        Hunk hunk = null;
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("== ")) {
                faults.add(new Fault(line.substring(3, line.indexOf(':'))));
                changed = "";
            } else if (line.startsWith("modules: ")) {
                last(faults).modules = List.of(value(line).split(" +"));
            } else if (line.startsWith("promise: ")) {
                last(faults).promise = value(line);
            } else if (line.startsWith("test: ")) {
                last(faults).test = value(line);
            } else if (line.startsWith("found: ")) {
                last(faults).found = value(line);
            } else if (line.startsWith("file: ")) {
                changed = value(line);
                hunk = null;
            } else if (line.startsWith("-") && !changed.isEmpty()) {
                if (hunk == null || !hunk.after.isEmpty()) {
                    hunk = new Hunk(new ArrayList<>(), new ArrayList<>());
                    last(faults)
                            .hunks
                            .computeIfAbsent(changed, key -> new ArrayList<>())
                            .add(hunk);
                }
                hunk.before.add(line.substring(1).trim());
            } else if (line.startsWith("+") && hunk != null) {
                hunk.after.add(line.substring(1));
            } else if (!line.isBlank() && !line.matches("(#|at:|kind:).*")) {
                throw new IllegalArgumentException(file + " has a line that says nothing: " + line);
            }
            if (!line.isBlank() && !line.startsWith("#") && !faults.isEmpty()) {
                last(faults).hash = 31 * last(faults).hash + line.hashCode();
            }
        }
        return faults;
    }

    private static Fault last(List<Fault> faults) {
        return faults.get(faults.size() - 1);
    }

    private static String value(String line) {
        return line.substring(line.indexOf(' ')).trim();
    }

    /** Returns the new text of the changed files, by their paths. Throws if a source lacks the old lines, or has them twice. */
    Map<String, String> apply() throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (Map.Entry<String, List<Hunk>> file : hunks.entrySet()) {
            Path path = Path.of(file.getKey());
            if (!Files.exists(path)) {
                throw new OutOfStep("out of step: there is no " + path);
            }
            List<String> lines = new ArrayList<>(Files.readAllLines(path));
            for (Hunk hunk : file.getValue()) {
                int place = place(path, lines, hunk.before);
                lines.subList(place, place + hunk.before.size()).clear();
                lines.addAll(place, hunk.after);
            }
            files.put(file.getKey(), String.join("\n", lines) + "\n");
        }
        return files;
    }

    private static int place(Path file, List<String> lines, List<String> before) {
        int place = -1;
        for (int i = 0; i + before.size() <= lines.size(); i++) {
            if (lines.subList(i, i + before.size()).stream()
                    .map(String::trim)
                    .toList()
                    .equals(before)) {
                if (place >= 0) {
                    throw new OutOfStep("out of step: " + file + " has twice " + before);
                }
                place = i;
            }
        }
        if (place < 0) {
            throw new OutOfStep("out of step: " + file + " lacks " + before);
        }
        return place;
    }
}
