// Peer reads a log, a proof or a cosignature of ours with golang.org/x/mod/sumdb, which nobody here
// wrote. Its own parsers of paths and heads want other forms, so those are mapped here, from the
// texts of c2sp.org; signatures, proofs and trees are checked by note and tlog.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: peer log|proof|cosignature PATH KEY [OLD-HEAD...]"))
	}
	path, key := os.Args[2], os.Args[3]
	switch os.Args[1] {
	case "log":
		checkLog(path, key, os.Args[4:])
	case "proof":
		checkProof(path, key)
	case "cosignature":
		checkCosignature(path, key)
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func refuse(wrong bool, format string, values ...interface{}) {
	if wrong {
		fail(fmt.Errorf(format, values...))
	}
}

// openHead verifies the signature of a checkpoint and returns its tree.
func openHead(octets []byte, key string) tlog.Tree {
	verifier, err := note.NewVerifier(key)
	fail(err)
	opened, err := note.Open(octets, note.VerifierList(verifier))
	fail(err)
	lines := strings.Split(opened.Text, "\n")
	refuse(len(lines) != 4 || lines[3] != "", "the head has %d lines", len(lines)-1)
	refuse(lines[0] != verifier.Name(), "the origin is %s", lines[0])
	size, err := strconv.ParseInt(lines[1], 10, 64)
	fail(err)
	root, err := tlog.ParseHash(lines[2])
	fail(err)
	return tlog.Tree{N: size, Hash: root}
}

// tilePath maps a tile to its address below that of the log.
func tilePath(level string, number int64, width int) string {
	groups := fmt.Sprintf("%03d", number%1000)
	for number >= 1000 {
		number /= 1000
		groups = fmt.Sprintf("x%03d/%s", number%1000, groups)
	}
	path := "tile/" + level + "/" + groups
	if width != 1<<height {
		path += fmt.Sprintf(".p/%d", width)
	}
	return path
}

type folder string

func (where folder) Height() int { return height }

func (where folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		path := tilePath(strconv.Itoa(tile.L), tile.N, tile.W)
		octets, err := os.ReadFile(filepath.Join(string(where), path))
		if err != nil {
			return nil, err
		}
		found = append(found, octets)
	}
	return found, nil
}

func (where folder) SaveTiles(tiles []tlog.Tile, data [][]byte) {}

// readEntries returns the entries of all bundles of a log of that size.
func (where folder) readEntries(size int64) [][]byte {
	var entries [][]byte
	for first := int64(0); first < size; first += 1 << height {
		width := size - first
		if width > 1<<height {
			width = 1 << height
		}
		path := tilePath("entries", first>>height, int(width))
		octets, err := os.ReadFile(filepath.Join(string(where), path))
		fail(err)
		before := len(entries)
		for len(octets) > 0 {
			refuse(len(octets) < 2, "%s was cut", path)
			length := int(binary.BigEndian.Uint16(octets))
			refuse(len(octets) < 2+length, "%s was cut", path)
			entries = append(entries, octets[2:2+length])
			octets = octets[2+length:]
		}
		refuse(len(entries)-before != int(width), "%s has %d entries", path, len(entries)-before)
	}
	return entries
}

// checkLog proves every entry in the head, and every old head to be continued by it.
func checkLog(path, key string, old []string) {
	where := folder(path)
	octets, err := os.ReadFile(filepath.Join(path, "checkpoint"))
	fail(err)
	tree := openHead(octets, key)
	reader := tlog.TileHashReader(tree, where)
	for number, entry := range where.readEntries(tree.N) {
		proof, err := tlog.ProveRecord(tree.N, int64(number), reader)
		fail(err)
		fail(tlog.CheckRecord(proof, tree.N, tree.Hash, int64(number), tlog.RecordHash(entry)))
	}
	for _, name := range old {
		octets, err := os.ReadFile(name)
		fail(err)
		before := openHead(octets, key)
		proof, err := tlog.ProveTree(tree.N, before.N, reader)
		fail(err)
		fail(tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash))
	}
	fmt.Printf("%d entries, %d old heads\n", tree.N, len(old))
}

// checkProof verifies a file as c2sp.org/tlog-proof has it, whose extra data are the entry.
func checkProof(path, key string) {
	octets, err := os.ReadFile(path)
	fail(err)
	parts := strings.SplitN(string(octets), "\n\n", 2)
	refuse(len(parts) != 2, "%s has no head", path)
	lines := strings.Split(parts[0], "\n")
	refuse(lines[0] != "c2sp.org/tlog-proof@v1", "%s is no proof", path)
	refuse(!strings.HasPrefix(lines[1], "extra "), "%s has no entry", path)
	entry, err := base64.StdEncoding.DecodeString(lines[1][len("extra "):])
	fail(err)
	number, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	fail(err)
	var proof tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		fail(err)
		proof = append(proof, hash)
	}
	tree := openHead([]byte(parts[1]), key)
	fail(tlog.CheckRecord(proof, tree.N, tree.Hash, number, tlog.RecordHash(entry)))
	fmt.Printf("entry %d of %d\n", number, tree.N)
}

// checkCosignature verifies that a witness has cosigned, from the text of c2sp.org/tlog-cosignature
// alone: sumdb knows no cosignatures.
func checkCosignature(path, key string) {
	octets, err := os.ReadFile(path)
	fail(err)
	parts := strings.SplitN(key, "+", 3)
	refuse(len(parts) != 3, "%s is no key", key)
	material, err := base64.StdEncoding.DecodeString(parts[2])
	fail(err)
	refuse(len(material) != 33 || material[0] != 4, "%s is no key of a witness", key)
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), material...))
	refuse(fmt.Sprintf("%x", sum[:4]) != parts[1], "the id of %s is %x", key, sum[:4])
	end := bytes.LastIndex(octets, []byte("\n\n"))
	refuse(end < 0, "%s is no note", path)
	text := octets[:end+1]
	for _, line := range strings.Split(string(octets[end+2:]), "\n") {
		prefix := "— " + parts[0] + " "
		if !strings.HasPrefix(line, prefix) {
			continue
		}
		said, err := base64.StdEncoding.DecodeString(line[len(prefix):])
		fail(err)
		if !bytes.Equal(said[:4], sum[:4]) {
			continue
		}
		refuse(len(said) != 4+8+64, "the cosignature has %d octets", len(said))
		moment := binary.BigEndian.Uint64(said[4:12])
		message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", moment, text)
		signed := ed25519.Verify(material[1:], []byte(message), said[12:])
		refuse(!signed, "the cosignature does not verify")
		fmt.Printf("cosigned at %d\n", moment)
		return
	}
	fail(fmt.Errorf("%s has not cosigned", parts[0]))
}
