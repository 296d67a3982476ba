package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares the words of guests in the classes of the main paths with {@code main-path.txt}. A guest is a feature that a tick, a pose, an
 * input event and a failure can do without: re-simulation with its late input and shadow snapshots, seeks, runs that follow others, drags,
 * senders that join and leave, reserved ids. Who follows a main path should meet a guest at its door only.
 *
 * <p>The listing has the classes that {@code .ci/PathCount.java --list} finds, each with the number of its words of each guest, comments
 * included. A word is a part of a name, too: {@code captureShadow} has one.
 */
class MainPathTest {

    private static final Path LISTING = Path.of("src", "test", "resources", "main-path.txt");

    private static final Path ROOT = Path.of("..", "..");

    /** A part of a name, such as {@code capture}, {@code Shadow} or {@code SENDER}, or a word of a comment. */
    private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");

    /**
     * The words of a guest.
     *
     * @param packages where they mean the guest
     * @param forms    the word in lower case
     * @param others   phrases in which the word means something else
     */
    private record Guest(String name, Pattern packages, Pattern forms, Pattern others) {

        Guest(String name, String packages, String forms, String others) {
            this(name, Pattern.compile(packages), Pattern.compile(forms), Pattern.compile(others));
        }
    }

    private static final List<Guest> GUESTS = List.of(
            new Guest("drag", ".*", "drag(s|ged|ging)?", "$^"),
            new Guest("follow", "physics.*", "follow(s|ed|er|ers|ing)?", "follow a clock|has followed"),
            new Guest("join", ".*", "join(s|ed|ing|able)?", "Collectors.joining|String.join|\\|join|[.]join\\(\\);"),
            new Guest("late", "state.input.*", "late", "$^"),
            // Elsewhere ticks, wake-ups and frames are late, too.
            new Guest(
                    "late",
                    "(?!state.input).*",
                    "late",
                    "(?<!next|take|drop|keep)([Ll]ate|LATE)(?![ _]?([Ii]nput|[Ee]vent))"),
            new Guest(
                    "leave",
                    "state.input.*",
                    "leave|leaves|leaving|left",
                    "leave out|leaves? (a|no|one|which)|a release leaves|is left|left a\\b"),
            new Guest(
                    "leave", "(?!state.input).*", "leave|leaves|left", "(?<!SENDER_|[Ss]enders? )([Ll]eaves?|[Ll]eft)"),
            new Guest("reserve", ".*", "reserv(e|es|ed|ing|ation|ations)", "reserve\\((?!\\))"), // makes room
            new Guest("seek", ".*", "seek(s|ing)?|sought", "file.seek"),
            new Guest("shadow", ".*", "shadow(s|ed|ing)?", "$^"));

    @Test
    void shouldMeetNoOtherGuestsThanListed() throws IOException {
        List<String> differences = new ArrayList<>();
        for (String row : Files.readAllLines(LISTING)) {
            if (row.isEmpty() || row.startsWith("#")) {
                continue;
            }
            String type = row.substring(0, row.indexOf(':'));
            SortedMap<String, List<String>> found = words(type);
            String now = row(type, found);
            if (!now.equals(row)) {
                differences.add(row + "\n    is now\n    " + now + where(row, found));
            }
        }
        assertThat(differences)
                .as("A class of the main path has more words of a guest than listed: move them behind the guest's"
                        + " door. Or it has fewer: lower its number in " + LISTING)
                .isEmpty();
    }

    private static SortedMap<String, List<String>> words(String type) throws IOException {
        SortedMap<String, List<String>> found = new TreeMap<>();
        Path file =
                ROOT.resolve(module(type)).resolve("src/main/java/dev/escapement/" + type.replace('.', '/') + ".java");
        assertThat(file)
                .as("The class of a row. Remove the row if its class has gone")
                .exists();
        List<String> lines = Files.readAllLines(file);
        for (Guest guest : GUESTS) {
            for (int i = 0; guest.packages.matcher(type).matches() && i < lines.size(); i++) {
                Matcher words = WORD.matcher(guest.others.matcher(lines.get(i)).replaceAll(""));
                while (words.find()) {
                    if (guest.forms
                            .matcher(words.group().toLowerCase(Locale.ROOT))
                            .matches()) {
                        found.computeIfAbsent(guest.name, name -> new ArrayList<>())
                                .add((i + 1) + ": " + lines.get(i).strip());
                    }
                }
            }
        }
        return found;
    }

    private static String module(String type) {
        return type.startsWith("state.")
                ? "shared-state"
                : type.startsWith("physics.") ? "physics-thread" : "render-thread";
    }

    private static String row(String type, SortedMap<String, List<String>> found) {
        List<String> counts = new ArrayList<>();
        found.forEach((guest, lines) -> counts.add(guest + " " + lines.size()));
        return type + ":" + (counts.isEmpty() ? "" : " ") + String.join(", ", counts);
    }

    /** Returns the lines of all words whose number is not in the row. */
    private static String where(String row, SortedMap<String, List<String>> found) {
        StringBuilder where = new StringBuilder();
        found.forEach((guest, lines) -> {
            if (!(row + ",").contains(" " + guest + " " + lines.size() + ",")) {
                lines.forEach(line -> where.append("\n        ")
                        .append(guest)
                        .append(", line ")
                        .append(line));
            }
        });
        return where.toString();
    }
}
