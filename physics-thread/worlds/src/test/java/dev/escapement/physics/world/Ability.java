package dev.escapement.physics.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** An ability that some worlds have. The contracts fail if a world lacks an ability that its test names, or has another one. */
public enum Ability {
    /** A contact that begins has an impulse. */
    IMPULSE("impulse of a contact that begins"),

    /** A contact that lasts has an impulse. */
    LASTING_IMPULSE("impulse while a contact lasts"),

    /** The simulation is {@code Restorable}. */
    SAVE("save and restore"),

    /** Several threads may step the world, one at a time. */
    MOVABLE("a host moves it to another thread"),

    SENSORS("sensors"),

    /** The filter of an added body can change. */
    FILTER_CHANGE("filter of an added body changes"),

    SHAPE_REMOVAL("shape is removed from a body"),

    /** The simulation reports joints. */
    JOINTS("joints on live pages");

    private final String row;

    Ability(String row) {
        this.row = row;
    }

    /** Reads the table in the README of Escapement's engines, so that the page cannot promise what an engine lacks. */
    public static Set<Ability> ofEngine(String engine) {
        List<List<String>> rows;
        try (Stream<String> lines = Files.lines(Path.of("..", "README.md"))) {
            rows = lines.filter(line -> line.startsWith("| "))
                    .map(line -> Arrays.asList(line.split(" *\\| *")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int column = rows.get(0).indexOf(engine);
        Set<Ability> abilities = EnumSet.noneOf(Ability.class);
        for (Ability ability : values()) {
            List<String> row = rows.stream()
                    .filter(cells -> cells.get(1).equals(ability.row))
                    .findFirst()
                    .orElseThrow();
            if (!row.get(column).equals("no")) {
                abilities.add(ability);
            }
        }
        return abilities;
    }
}
