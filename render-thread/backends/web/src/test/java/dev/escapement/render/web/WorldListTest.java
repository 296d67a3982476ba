package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists worlds on a page, and opens them. */
class WorldListTest extends SenderFixture {

    private static final int SECOND_TICKS = 100;

    private final TestWorld lobby = new TestWorld("lobby", 64);
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, Map<String, Number>> worlds = new LinkedHashMap<>();
    private Supplier<Map<String, Map<String, Number>>> source = () -> worlds;
    private Consumer<String> opener = name -> sender.show(lobby.driver.newReader(), lobby.driver);

    @BeforeEach
    void listWorlds() {
        sender.close();
        sender = sender(
                world.driver,
                new WorldList(
                        () -> {
                            calls.incrementAndGet();
                            return source.get();
                        },
                        name -> opener.accept(name),
                        world.clock));
        worlds.put("Arena 1", Map.of("% of a core", 75));
        worlds.put("lobby", new TreeMap<>(Map.of("% of a core", Double.NaN, "slack (ms)", 2L)));
        worlds.put("arena 2", Map.of("slack (ms)", -1));
    }

    private static void asks(Connected page, String filter) {
        page.says("{\"type\":\"worlds\",\"filter\":\"" + filter + "\"}");
    }

    private static void opens(Connected page, String name) {
        page.says("{\"type\":\"open\",\"world\":\"" + name + "\"}");
    }

    /** Returns the list that the page is sent in the next rounds. */
    private JsonObject list(Connected page, String filter) {
        asks(page, filter);
        tickAndRound();
        tickAndRound();
        return page.wire().take("worlds").get(0);
    }

    private String refusal(Connected page, String type) {
        tickAndRound();
        return page.refusal(type);
    }

    private static int rows(JsonObject list) {
        return list.getAsJsonArray("rows").size();
    }

    @Test
    void shouldListTheWorldsThatMatchAFilterInOrder() {
        Connected page = connect();
        JsonObject all = list(page, "");
        assertThat(all.get("columns")).hasToString("[\"% of a core\",\"slack (ms)\"]");
        assertThat(all.get("rows"))
                .hasToString("[[\"Arena 1\",75.0,null],[\"lobby\",null,2.0],[\"arena 2\",null,-1.0]]");
        assertThat(all.get("failure").isJsonNull()).isTrue();
        JsonObject arenas = list(page, "ARENA");
        assertThat(arenas.get("rows")).hasToString("[[\"Arena 1\",75.0,null],[\"arena 2\",null,-1.0]]");
        assertThat(arenas.get("total").getAsInt()).isEqualTo(3);
        assertThat(arenas.get("matching").getAsInt()).isEqualTo(2);
        assertThat(rows(list(page, "none"))).isZero();
    }

    @Test
    void shouldAskOnceASecondIfAPageAsks() {
        List<Connected> pages = List.of(connect(), connect(), connect());
        seconds(2);
        assertThat(calls).as("nobody has asked").hasValue(0);
        for (int tick = 0; tick < 5 * SECOND_TICKS; tick++) {
            pages.forEach(page -> asks(page, ""));
            tickAndRound();
            pages.forEach(Connected::acknowledges);
        }
        assertThat(calls.get()).isBetween(5, 6);
        assertThat(pages.get(2).wire().take("worlds")).hasSize(5 * SECOND_TICKS);
    }

    /** A page may list and open worlds before it has seen the current one. */
    @Test
    void shouldTellWhichWorldWaitsForItsTicks() {
        Connected page = connect();
        opens(page, "lobby");
        JsonObject waiting = list(page, "");
        assertThat(waiting.get("shown").getAsString()).isEmpty();
        assertThat(waiting.get("opening").getAsString()).isEqualTo("lobby");
        lobby.ticks(3);
        sender.round();
        JsonObject shown = list(page, "");
        assertThat(shown.get("shown").getAsString()).isEqualTo("lobby");
        assertThat(shown.get("opening").getAsString()).isEmpty();
        assertThat(page.client().knowsWorld).isFalse();
        opens(page, "arena 2");
        tickAndRound();
        assertThat(page.wire().take("refused")).isEmpty();
    }

    @Test
    void shouldRefuseListsOnAPageOfOneWorld() {
        sender = sender(world.driver);
        Connected page = connect();
        asks(page, "");
        assertThat(refusal(page, "worlds")).contains("this page shows one world");
        opens(page, "lobby");
        assertThat(refusal(page, "open")).contains("this page shows one world");
        assertThat(page.wire().take("hello").toString()).contains("\"worlds\":false");
    }

    @Test
    void shouldBoundRowsColumnsAndNames() {
        String longName = "x".repeat(WorldList.MAX_NAME) + "yz";
        Map<String, Number> many = new LinkedHashMap<>();
        IntStream.range(0, 50).forEach(i -> many.put(i + "c".repeat(1000), i));
        worlds.put(longName, many);
        IntStream.range(0, 10_000).forEach(i -> worlds.put("world " + i, Map.of()));
        Connected page = connect();
        JsonObject all = list(page, "");
        assertThat(rows(all)).isEqualTo(WorldList.MAX_ROWS);
        assertThat(all.get("matching").getAsInt()).isEqualTo(10_004);
        JsonObject list = list(page, "xxx");
        assertThat(list.getAsJsonArray("columns")).hasSize(WorldList.MAX_COLUMNS);
        assertThat(list.getAsJsonArray("columns").get(7).getAsString()).hasSize(WorldList.MAX_NAME);
        String name = list.getAsJsonArray("rows").get(0).getAsJsonArray().get(0).getAsString();
        assertThat(name).hasSize(WorldList.MAX_NAME);
        List<String> opened = new ArrayList<>();
        opener = opened::add;
        opens(page, name);
        tickAndRound();
        assertThat(opened).containsExactly(longName);
    }

    @Test
    void shouldRefuseNamesThatAreNotInTheList() {
        List<String> opened = new ArrayList<>();
        opener = opened::add;
        Connected page = connect();
        opens(page, "LOBBY");
        assertThat(refusal(page, "open")).contains("there is no world 'LOBBY'");
        worlds.remove("lobby");
        seconds(1);
        opens(page, "lobby");
        assertThat(refusal(page, "open")).contains("there is no world 'lobby': it has ended");
        assertThat(opened).isEmpty();
    }

    @Test
    void shouldReportWhyAWorldCannotBeShown() {
        Connected page = connect();
        opener = name -> {
            throw new StackOverflowError();
        };
        opens(page, "lobby");
        assertThat(refusal(page, "open"))
                .startsWith("world 'lobby' cannot be shown: ")
                .contains("StackOverflowError");
        opener = name -> {}; // stands for a program that no longer has the world
        opens(page, "lobby");
        assertThat(refusal(page, "open")).contains("nothing was shown for world 'lobby'");
        tickAndRound();
        assertThat(page.wire().seen.tick).isEqualTo(world.ticks);
    }

    @Test
    void shouldSayWhyWorldsCannotBeListedAndTryAgain() {
        Connected page = connect();
        source = () -> {
            throw new IllegalStateException("closed");
        };
        assertThat(list(page, "").get("failure").getAsString()).endsWith("cannot list its worlds: closed");
        Map<String, Map<String, Number>> half = new LinkedHashMap<>(worlds);
        half.put("half", null);
        source = () -> half;
        seconds(1);
        assertThat(list(page, "").get("failure").getAsString()).contains("cannot be read");
        source = () -> worlds;
        seconds(1);
        assertThat(rows(list(page, ""))).isEqualTo(3);
    }

    private void seconds(int count) {
        for (int tick = 0; tick < count * SECOND_TICKS; tick++) {
            tickAndRound();
        }
    }
}
