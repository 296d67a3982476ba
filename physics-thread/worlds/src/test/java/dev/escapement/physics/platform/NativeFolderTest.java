package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFolderTest {

    private static final byte[] VERSION_1 = {1, 2, 3};
    private static final byte[] VERSION_2 = {1, 2, 3, 4};

    @TempDir
    Path temporary;

    @Test
    void processesShareAFileOfEachVersion() throws IOException {
        Path file = inNewProcess(VERSION_1);
        Object written = Files.getAttribute(file, "lastModifiedTime");
        Path other = inNewProcess(VERSION_2);
        for (int i = 0; i < 20; i++) {
            assertThat(inNewProcess(VERSION_1)).isEqualTo(file).hasBinaryContent(VERSION_1);
            assertThat(inNewProcess(VERSION_2)).isEqualTo(other).hasBinaryContent(VERSION_2);
        }
        assertThat(Files.getAttribute(file, "lastModifiedTime"))
                .as("written once")
                .isEqualTo(written);
        assertThat(files()).as("nothing is left of 42 processes but").containsExactlyInAnyOrder(file, other);
        assertThat(file.getFileName().toString()).endsWith("-engine.dll");
    }

    @Test
    void aFileThatWasCutOrChangedIsReplaced() throws IOException {
        Path file = inNewProcess(VERSION_2);
        for (byte[] damaged : new byte[][] {{}, {1, 2, 3}, {1, 2, 3, 5}, {1, 2, 3, 4, 5}}) {
            Files.write(file, damaged);
            assertThat(inNewProcess(VERSION_2)).isEqualTo(file).hasBinaryContent(VERSION_2);
        }
        Path planted = Files.write(temporary.resolve("planted"), VERSION_2);
        Files.delete(file);
        Files.createSymbolicLink(file, planted);
        assertThat(inNewProcess(VERSION_2)).isEqualTo(file).isRegularFile();
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    @Test
    void otherClassLoadersOfAProcessGetCopies() throws IOException {
        Map<Object, Object> claims = new HashMap<>();
        Path first = new NativeFolder(temporary, claims).file("engine.dll", VERSION_1);
        Path second = new NativeFolder(temporary, claims).file("engine.dll", VERSION_1);
        Path third = new NativeFolder(temporary, claims).file("engine.dll", VERSION_1);
        assertThat(List.of(first, second, third))
                .doesNotHaveDuplicates()
                .allSatisfy(file -> assertThat(file).hasBinaryContent(VERSION_1));
    }

    @Test
    void aFolderThatOthersMayWriteIsNotUsed() throws IOException {
        assumeTrue(temporary.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path folder = Objects.requireNonNull(inNewProcess(VERSION_1).getParent());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        for (String open : List.of("rwxrwx---", "rwx---rwx", "rwx--x---")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(open));
            assertThat(inNewProcess(VERSION_1).getParent()).isEqualTo(temporary);
        }
    }

    @Test
    void aFolderOfAnotherUserIsNotUsed() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a folder away");
        Path folder = Objects.requireNonNull(inNewProcess(VERSION_1).getParent());
        UserPrincipal nobody =
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(folder, nobody);
        assertThat(inNewProcess(VERSION_1).getParent()).isEqualTo(temporary);
    }

    @Test
    void aLinkToAFolderIsNotUsed() throws IOException {
        Path folder = Objects.requireNonNull(inNewProcess(VERSION_1).getParent());
        Files.move(folder, temporary.resolve("elsewhere"));
        Files.createSymbolicLink(folder, temporary.resolve("elsewhere"));
        assertThat(inNewProcess(VERSION_1).getParent()).isEqualTo(temporary);
    }

    @Test
    void processesThatStartAtOnceGetWholeFiles() throws Exception {
        int processes = 8;
        byte[] bytes = new byte[1 << 20];
        bytes[bytes.length - 1] = 1;
        ExecutorService threads = Executors.newFixedThreadPool(processes);
        CyclicBarrier start = new CyclicBarrier(processes);
        List<Future<Path>> files = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            files.add(threads.submit(() -> {
                start.await();
                Path file = inNewProcess(bytes);
                assertThat(file).hasBinaryContent(bytes);
                return file;
            }));
        }
        for (Future<Path> file : files) {
            assertThat(file.get()).isEqualTo(files.get(0).get());
        }
        threads.shutdown();
        assertThat(files()).hasSize(1);
    }

    private Path inNewProcess(byte[] bytes) throws IOException {
        return new NativeFolder(temporary, new HashMap<>()).file("engine.dll", bytes);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
