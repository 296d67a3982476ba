package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.Logged;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Serves a page behind proxies, tunnels and mapped ports. */
@Timeout(60)
class BehindProxyTest {

    private static final String TOKEN = "0123456789abcdefghi-_Z";

    private static final PageAccess NAMED = new PageAccess(
            Set.of(PageAccess.checkHost("Physics.example.org"), PageAccess.checkHost("[::1]:9000")),
            "",
            PageAccess.newSecret(),
            Set.of());

    private final LivePageBuilder builder = LivePage.of(new TestWorld().driver.newReader());

    /** nginx cuts the prefix off or not, and sends the page's host or the browser's, with its port or without. */
    @Test
    void shouldServeThePageBehindAPrefix() throws IOException {
        try (ServedPage served =
                new ServedPage(page -> page.token(TOKEN).hosts("localhost").prefix("/games/physics"))) {
            assertThat(served.path()).isEqualTo("/games/physics/" + TOKEN + "/");
            for (String path : List.of(served.path(), "/" + TOKEN + "/")) {
                for (String host : List.of(served.uri.getAuthority(), "localhost:9", "localhost")) {
                    assertThat(ServedPage.status(served.get(path + "page.css", host)))
                            .isEqualTo("200");
                }
                assertThat(served.get(path.replaceFirst("/$", "?x=1"), "localhost"))
                        .contains("HTTP/1.1 307", "Location: " + TOKEN + "/?x=1");
                assertThat(ServedPage.status(served.get(path.replace('Z', 'z'), "localhost")))
                        .isEqualTo("403");
            }
        }
    }

    @Test
    void shouldRefuseUnnamedHostsAndLogTheFirst() throws IOException {
        try (Logged logged = new Logged("render");
                ServedPage served = new ServedPage(page -> page.hosts("localhost:1", "physics.example.org"))) {
            served.get("/" + TOKEN + "/", "localhost:9");
            assertThat(logged.records).as("without the token").isEmpty();
            for (int i = 0; i < 2; i++) {
                assertThat(ServedPage.status(served.get(served.path(), "localhost:9")))
                        .isEqualTo("403");
            }
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("hosts(\"localhost:9\")");
        }
    }

    @Test
    void shouldLetNamedSitesHaveThePageInAFrame() throws IOException {
        try (ServedPage served = new ServedPage(page -> page.frameAncestors("https://tools.example.org"))) {
            assertThat(served.get(served.path())).contains("frame-ancestors https://tools.example.org\r\n");
        }
        for (String bad : List.of("tools.example.org", "https://a/b", "https://*.org", "https://a; img-src *")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.frameAncestors(bad))
                    .withMessageContaining("but is '" + bad + "'");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, '127.0.0.1:80, localhost:80, PHYSICS.example.org, physics.example.org:8443, [::1]:9000'",
        "[0:0:0:0:0:0:0:1], '[0:0:0:0:0:0:0:1]:80, [::1]:80, localhost:80'",
        "192.168.1.5, 192.168.1.5:80",
    })
    void shouldAllowItsAddressAndNamedHosts(String address, String hosts) {
        assertThat(hosts.split(", ", -1)).allMatch(host -> NAMED.allowsHost(host, address, 80));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 'physics.example.org.evil.example, physics.example.org:x, physics.example.org:80:80, a@physics.example.org'",
        "127.0.0.1, '[::1], [::1]:9001, [::1]:80, [evil]:80, [:80, :80, '",
        "[0:0:0:0:0:0:0:1], '[::2]:80, [::1]:81, ::1:80, 127.0.0.1:80'",
        "192.168.1.5, 'localhost:80, 127.0.0.1:80, 192.168.1.6:80'",
    })
    void shouldRefuseOtherHosts(String address, String hosts) {
        assertThat(hosts.split(", ", -1)).noneMatch(host -> NAMED.allowsHost(host, address, 80));
    }

    @Test
    void shouldAllowItsOriginAndThoseOfNamedHosts() {
        assertThat(List.of("https://physics.example.org:8443", "http://[::1]:9000", "http://own"))
                .allMatch(origin -> NAMED.allowsOrigin(origin, "own"));
        assertThat(List.of(
                        "null",
                        "https://own",
                        "ftp://physics.example.org",
                        "https://physics.example.org/",
                        "https://https://physics.example.org"))
                .noneMatch(origin -> NAMED.allowsOrigin(origin, "own"));
    }

    @Test
    void shouldRefuseHostsPrefixesAndTokensThatCannotBe() {
        for (String host : List.of("*.example.org", "https://x", "x/y", "", "x:", "x\r\nSet-Cookie: y", "::1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.hosts("localhost", host))
                    .withMessageContaining("is '" + host + "'")
                    .withMessageContaining("a wildcard would");
        }
        for (String prefix : List.of("..", "/a/../b", "/./a", "a", "//", "/a?b", "/%2e%2e")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.prefix(prefix))
                    .withMessageContaining("'" + prefix + "'")
                    .withMessageContaining("such as /physics");
        }
        for (String token : List.of("a".repeat(21), "a".repeat(129), "a".repeat(30) + "/", "é".repeat(30))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.token(token))
                    .withMessageContaining("this one has " + token.length() + ", of which "
                            + token.replaceAll("[é/]", "").length());
        }
        builder.hosts().prefix("").prefix("/").prefix("/a.b/c~d/").token("-".repeat(128));
    }
}
